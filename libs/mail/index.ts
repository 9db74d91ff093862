// The port

export { type InlineImage, type Mail, MailError, type Message } from "./port.ts";

// Texts in a mail

export { oneLine } from "./compose.ts";

// Adapters

export { type OutboxOptions, openOutbox } from "./outbox.ts";
export { createSmtpMail, type SmtpOptions } from "./smtp.ts";
