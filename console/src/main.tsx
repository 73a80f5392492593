import "./styles/index.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { giveAriaTexts } from "./base/aria-texts.ts";
import { showSettings } from "./base/settings.ts";

showSettings();
giveAriaTexts();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
