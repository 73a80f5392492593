import "./styles/index.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { showSettings } from "./base/settings.ts";

showSettings();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
