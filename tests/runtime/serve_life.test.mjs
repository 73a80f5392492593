// The service's main functions on a machine of one's own, through the gate of `npm run serve`, each from start to end.
import { testLives } from "../support/lives.mjs";
import { servedServer } from "../support/serving.mjs";

testLives(servedServer());
