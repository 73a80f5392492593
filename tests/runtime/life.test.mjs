// The service's main functions on the real runtime, each from start to end.
import { testLives } from "../support/lives.mjs";
import { sharedServer } from "../support/server.mjs";

testLives(sharedServer());
