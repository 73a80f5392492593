// Made by `npm run clients` from openapi.json. operations.d.mts says what each method does.
import { segment, Transport } from "./transport.mjs";

export class Operations extends Transport {
  async getProofKeys({ signal } = {}) {
    return await this.request("GET", "/.well-known/jwks.json", { signal });
  }

  async getAccountInfo({ signal } = {}) {
    return (await this.request("GET", "/account/info", { signal })).data;
  }

  async changeAccountInfo(body, { signal } = {}) {
    return (await this.request("PATCH", "/account/info", { body, signal })).data;
  }

  async getLowBalance({ signal } = {}) {
    return (await this.request("GET", "/account/low-balance", { signal })).data;
  }

  async setLowBalance(body, { signal } = {}) {
    return (await this.request("PUT", "/account/low-balance", { body, signal })).data;
  }

  async getOutcomes({ signal, ...query } = {}) {
    return (await this.request("GET", "/account/outcomes", { query, signal })).data;
  }

  listTransactions({ signal, ...query } = {}) {
    return this.pages("/account/transactions", { query, signal });
  }

  async getUnsent({ signal } = {}) {
    return (await this.request("GET", "/account/unsent", { signal })).data;
  }

  listUsage({ signal, ...query } = {}) {
    return this.pages("/account/usage", { query, signal });
  }

  listBlacklist({ signal, ...query } = {}) {
    return this.pages("/blacklist", { query, signal });
  }

  async addToBlacklist(body, { signal } = {}) {
    return (await this.request("POST", "/blacklist", { body, repeatable: true, signal })).data;
  }

  async removeFromBlacklist(body, { signal, ...query } = {}) {
    return (await this.request("DELETE", "/blacklist", { query, body, signal })).data;
  }

  listCampaigns({ signal } = {}) {
    return this.pages("/campaigns", { signal });
  }

  async createCampaign(body, { signal } = {}) {
    return (await this.request("POST", "/campaigns", { body, signal })).data;
  }

  async getCampaign(id, { signal } = {}) {
    return (await this.request("GET", `/campaigns/${segment(id)}`, { signal })).data;
  }

  async changeCampaign(id, body, { signal } = {}) {
    return (await this.request("PATCH", `/campaigns/${segment(id)}`, { body, signal })).data;
  }

  async deleteCampaign(id, { signal } = {}) {
    await this.request("DELETE", `/campaigns/${segment(id)}`, { signal });
  }

  async cancelCampaign(id, { signal } = {}) {
    return (await this.request("POST", `/campaigns/${segment(id)}/cancel`, { signal })).data;
  }

  async pauseCampaign(id, { signal } = {}) {
    return (await this.request("POST", `/campaigns/${segment(id)}/pause`, { signal })).data;
  }

  listCampaignRecipients(id, { signal, ...query } = {}) {
    return this.pages(`/campaigns/${segment(id)}/recipients`, { query, signal });
  }

  async resendCampaign(id, { signal } = {}) {
    return (await this.request("POST", `/campaigns/${segment(id)}/resend`, { signal })).data;
  }

  async resumeCampaign(id, { signal } = {}) {
    return (await this.request("POST", `/campaigns/${segment(id)}/resume`, { signal })).data;
  }

  async startCampaign(id, { signal } = {}) {
    return (await this.request("POST", `/campaigns/${segment(id)}/start`, { signal })).data;
  }

  async makeConsoleLink(body, { signal } = {}) {
    return (await this.request("POST", "/console/link", { body, signal })).data;
  }

  async getConsoleSession({ signal } = {}) {
    return (await this.request("GET", "/console/session", { signal })).data;
  }

  async openConsoleSession({ signal } = {}) {
    await this.request("POST", "/console/session", { signal });
  }

  async endConsoleSession({ signal, ...query } = {}) {
    await this.request("DELETE", "/console/session", { query, signal });
  }

  listErasures({ signal } = {}) {
    return this.pages("/erasures", { signal });
  }

  async getErasure(id, { signal } = {}) {
    return (await this.request("GET", `/erasures/${segment(id)}`, { signal })).data;
  }

  async getHealth({ signal } = {}) {
    return (await this.request("GET", "/health", { signal })).data;
  }

  async getHeld({ signal, ...query } = {}) {
    return (await this.request("GET", "/held", { query, signal })).data;
  }

  listInbound({ signal, ...query } = {}) {
    return this.pages("/inbound", { query, signal });
  }

  async takeInbound(body, { signal } = {}) {
    return (await this.request("POST", "/inbound/take", { body, signal })).data;
  }

  listKeys({ signal } = {}) {
    return this.pages("/keys", { signal });
  }

  async issueKey(body, { signal } = {}) {
    return (await this.request("POST", "/keys", { body, signal })).data;
  }

  async revokeKey(id, { signal, ...query } = {}) {
    return (await this.request("DELETE", `/keys/${segment(id)}`, { query, signal }))?.data ?? null;
  }

  async rotateKey(id, body, { signal } = {}) {
    return (await this.request("POST", `/keys/${segment(id)}/rotate`, { body, signal })).data;
  }

  listLines({ signal } = {}) {
    return this.pages("/lines", { signal });
  }

  listMembers({ signal } = {}) {
    return this.pages("/members", { signal });
  }

  async addMember(body, { signal } = {}) {
    return (await this.request("POST", "/members", { body, signal })).data;
  }

  async getSignInRule({ signal } = {}) {
    return (await this.request("GET", "/members/sign-in", { signal })).data;
  }

  async setSignInRule(body, { signal } = {}) {
    return (await this.request("PUT", "/members/sign-in", { body, signal })).data;
  }

  async changeMember(id, body, { signal } = {}) {
    return (await this.request("PATCH", `/members/${segment(id)}`, { body, signal })).data;
  }

  async removeMember(id, { signal, ...query } = {}) {
    return (await this.request("DELETE", `/members/${segment(id)}`, { query, signal }))?.data ?? null;
  }

  async inviteMember(id, { signal } = {}) {
    return (await this.request("POST", `/members/${segment(id)}/invitation`, { signal })).data;
  }

  async makeMemberLink(id, body, { signal } = {}) {
    return (await this.request("POST", `/members/${segment(id)}/link`, { body, signal })).data;
  }

  listMessages({ signal, ...query } = {}) {
    return this.pages("/messages", { query, signal });
  }

  async findRecipients(body, { signal } = {}) {
    return (await this.request("POST", "/messages/recipients", { body, repeatable: true, signal })).data;
  }

  async getMessage(uid, { signal } = {}) {
    return (await this.request("GET", `/messages/${segment(uid)}`, { signal })).data;
  }

  async cancelMessage(uid, { signal } = {}) {
    return (await this.request("DELETE", `/messages/${segment(uid)}`, { signal })).data;
  }

  async pauseMessage(uid, { signal } = {}) {
    return (await this.request("POST", `/messages/${segment(uid)}/pause`, { signal })).data;
  }

  listRecipients(uid, { signal, ...query } = {}) {
    return this.pages(`/messages/${segment(uid)}/recipients`, { query, signal });
  }

  async resumeMessage(uid, { signal } = {}) {
    return (await this.request("POST", `/messages/${segment(uid)}/resume`, { signal })).data;
  }

  listPatterns({ signal } = {}) {
    return this.pages("/pattern", { signal });
  }

  async createPattern(body, { signal } = {}) {
    return (await this.request("POST", "/pattern", { body, signal })).data;
  }

  async getPattern(slug, { signal } = {}) {
    return (await this.request("GET", `/pattern/${segment(slug)}`, { signal })).data;
  }

  async changePattern(slug, body, { signal } = {}) {
    return (await this.request("PUT", `/pattern/${segment(slug)}`, { body, signal })).data;
  }

  async deletePattern(slug, { signal } = {}) {
    await this.request("DELETE", `/pattern/${segment(slug)}`, { signal });
  }

  async deactivatePattern(slug, { signal } = {}) {
    return (await this.request("POST", `/pattern/${segment(slug)}/deactivate`, { repeatable: true, signal })).data;
  }

  async createPatternVersion(slug, body, { signal } = {}) {
    return (await this.request("POST", `/pattern/${segment(slug)}/versions`, { body, signal })).data;
  }

  async activatePatternVersion(slug, n, { signal } = {}) {
    const path = `/pattern/${segment(slug)}/versions/${segment(n)}/activate`;
    return (await this.request("POST", path, { repeatable: true, signal })).data;
  }

  listPhonebooks({ signal } = {}) {
    return this.pages("/phonebook", { signal });
  }

  async createPhonebook(body, { signal } = {}) {
    return (await this.request("POST", "/phonebook", { body, signal })).data;
  }

  async changePhonebookInBody(body, { signal } = {}) {
    return (await this.request("PUT", "/phonebook", { body, signal })).data;
  }

  async deletePhonebookInQuery({ signal, ...query } = {}) {
    await this.request("DELETE", "/phonebook", { query, signal });
  }

  listNumbers(phonebookId, { signal, ...query } = {}) {
    return this.pages(`/phonebook/number/${segment(phonebookId)}`, { query, signal });
  }

  async addNumbers(phonebookId, body, { signal } = {}) {
    const path = `/phonebook/number/${segment(phonebookId)}`;
    return (await this.request("POST", path, { body, repeatable: true, signal })).data;
  }

  async changeNumber(phonebookId, numberId, body, { signal } = {}) {
    const path = `/phonebook/number/${segment(phonebookId)}/${segment(numberId)}`;
    return (await this.request("PUT", path, { body, signal })).data;
  }

  async deleteNumber(phonebookId, numberId, { signal } = {}) {
    await this.request("DELETE", `/phonebook/number/${segment(phonebookId)}/${segment(numberId)}`, { signal });
  }

  async getPhonebook(id, { signal } = {}) {
    return (await this.request("GET", `/phonebook/${segment(id)}`, { signal })).data;
  }

  async changePhonebook(id, body, { signal } = {}) {
    return (await this.request("PUT", `/phonebook/${segment(id)}`, { body, signal })).data;
  }

  async deletePhonebook(id, { signal } = {}) {
    await this.request("DELETE", `/phonebook/${segment(id)}`, { signal });
  }

  async getTariff({ signal } = {}) {
    return (await this.request("GET", "/plan/tariff", { signal })).data;
  }

  async estimate(body, { signal } = {}) {
    return (await this.request("POST", "/sms/estimate", { body, repeatable: true, signal })).data;
  }

  async findVerifications({ signal, ...query } = {}) {
    return (await this.request("GET", "/verify", { query, signal })).data;
  }

  async startVerification(body, { signal } = {}) {
    return (await this.request("POST", "/verify", { body, signal })).data;
  }

  async checkVerification(body, { signal } = {}) {
    return (await this.request("POST", "/verify/check", { body, signal })).data;
  }

  async getVerifyStats({ signal, ...query } = {}) {
    return (await this.request("GET", "/verify/stats", { query, signal })).data;
  }

  async getVerification(id, { signal } = {}) {
    return (await this.request("GET", `/verify/${segment(id)}`, { signal })).data;
  }

  async cancelVerification(id, { signal } = {}) {
    return (await this.request("DELETE", `/verify/${segment(id)}`, { signal })).data;
  }

  listWebhooks({ signal } = {}) {
    return this.pages("/webhook", { signal });
  }

  async createWebhook(body, { signal } = {}) {
    return (await this.request("POST", "/webhook", { body, signal })).data;
  }

  async getWebhook(id, { signal } = {}) {
    return (await this.request("GET", `/webhook/${segment(id)}`, { signal })).data;
  }

  async changeWebhook(id, body, { signal } = {}) {
    return (await this.request("PUT", `/webhook/${segment(id)}`, { body, signal })).data;
  }

  async deleteWebhook(id, { signal } = {}) {
    await this.request("DELETE", `/webhook/${segment(id)}`, { signal });
  }

  listDeliveries(id, { signal } = {}) {
    return this.pages(`/webhook/${segment(id)}/deliveries`, { signal });
  }

  async getDelivery(id, deliveryId, { signal } = {}) {
    return (await this.request("GET", `/webhook/${segment(id)}/deliveries/${segment(deliveryId)}`, { signal })).data;
  }

  async redeliverEvent(id, deliveryId, { signal } = {}) {
    const path = `/webhook/${segment(id)}/deliveries/${segment(deliveryId)}/redeliver`;
    return (await this.request("POST", path, { signal })).data;
  }

  async rotateWebhookSecret(id, { signal } = {}) {
    return (await this.request("POST", `/webhook/${segment(id)}/rotate`, { signal })).data;
  }

  async testWebhook(id, { signal } = {}) {
    return (await this.request("POST", `/webhook/${segment(id)}/test`, { signal })).data;
  }
}
