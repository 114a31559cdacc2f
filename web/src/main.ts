import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { renewWhenMissing } from "./lib/renew";

renewWhenMissing();
mount(App, { target: document.getElementById("app")! });
