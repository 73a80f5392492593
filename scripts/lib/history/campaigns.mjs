// The campaigns of the demo's shop: one that has gone out, and one that nobody has started yet.

/** One goes out to all customers. */
export async function campaign(shop, message) {
  const id = await counted(shop, { title: "جشنواره‌ی پاییزی", message });
  await shop.api("POST", `/campaigns/${id}/start`);
  await whenIts(shop, id, "DONE");
}

/** What the shop looks over next: it waits to be started. */
export const nextCampaign = (shop) =>
  counted(shop, { title: "حراج شب یلدا", message: "%name% عزیز، حراج شب یلدای نارنج شروع شد.", perMinute: 600 });

async function counted(shop, about) {
  const { id } = await shop.api("POST", "/campaigns", { ...about, phonebooks: [shop.phonebook] });
  await whenIts(shop, id, "DRAFT");
  return id;
}

const whenIts = ({ api, until }, id, wanted) =>
  until(async () => {
    const { state } = await api("GET", `/campaigns/${id}`);
    return state === wanted;
  }, `the state ${wanted} of a campaign`);
