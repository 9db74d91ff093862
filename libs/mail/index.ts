// The port

// Adapters
export { type OutboxOptions, openOutbox } from "./outbox.ts";
export { type Mail, MailError, type Message } from "./port.ts";
export { createSmtpMail, type SmtpOptions } from "./smtp.ts";
