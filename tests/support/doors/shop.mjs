// What the tests of all doors do by our own API.
import { api } from "../server.mjs";
import { openShop } from "../shop.mjs";

/** Posts to our own API, which must answer this status. Returns the `data` of the answer. */
export async function post(server, key, path, body, status = 201) {
  const answer = await api(server, "POST", path, { key, body });
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.json.data;
}

/** Opens a shop that has money and an active pattern of this name. */
export async function shopWithPattern(server, money, slug, text) {
  const shop = await openShop(server, money);
  await post(server, shop.key, "/pattern", { slug, title: "login", text });
  await post(server, shop.key, `/pattern/${slug}/versions/1/activate`, undefined, 200);
  return shop;
}
