import { expect, it } from "vitest";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import { startManagement } from "../tests/management.ts";
import { aPendingAd, aPerson, aPublisher, type Publisher } from "../tests/story.ts";

const MINUTE_MS = 60_000;
const service = await startManagement({ unlimited: true, processorTimeoutMs: MINUTE_MS });

it("sends emails while the deletions of many workspaces wait for the payment processor", async () => {
  const publishers: Publisher[] = [];
  for (let n = 1; n <= 5; n += 1) {
    const publisher = await aPublisher(service, `Weekly ${n}`);
    await aPendingAd(service, publisher);
    publishers.push(publisher);
  }
  const reader = await aPerson(service);
  await mailsTo(service, reader.email);

  await service.processor.while("silent", async () => {
    const before = service.processor.ignored();
    for (const { person, path, workspace } of publishers) {
      await person.caller.request("DELETE", path, { name: workspace.name, refund: false });
    }
    await expect.poll(service.processor.ignored, { timeout: 20_000 }).toBeGreaterThan(before);
    await reader.caller.request("POST", "/api/auth/request-password-reset", { email: reader.email });

    const subjects = async () =>
      (await service.readMails()).flatMap(({ to, subject }) => (to === reader.email ? [subject] : []));
    await expect.poll(subjects, { timeout: 20_000 }).toContain("Choose a new password");
  });
});
