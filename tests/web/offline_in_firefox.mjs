// Plays in Firefox, in a page and in a frame of another one, with the server and then without it: offline_in_firefox.mjs FIREFOX PROFILE URL FRAMED.
// It says "kept" when the browser has kept everything, and goes on when it is sent a line; at last it prints what it saw, as JSON.

import puppeteer from "puppeteer-core";

const PATIENCE = { timeout: 120_000 };
const [executablePath, userDataDir, url, framed] = process.argv.slice(2);
const firefox = await puppeteer.launch({ browser: "firefox", executablePath, userDataDir, headless: true });
const page = await firefox.newPage();
await page.setViewport({ width: 1366, height: 900 });
const trouble = [];
page.on("pageerror", (error) => trouble.push(error.message));

/** Win from a row of three; returns what is lit at the end. */
async function win(place) {
  await place.waitForSelector("[data-state=player] .live", PATIENCE);
  await (await place.$("[data-lamp='1']")).click();
  await place.waitForSelector("[data-lamp='2'].picked", PATIENCE);
  await (await place.$("#go")).click();
  await place.waitForSelector("[data-state=verdict] #you-win.lit", PATIENCE);
  return place.$$eval("#signs .lit", (signs) => signs.map((sign) => sign.id));
}

async function winFramed() {
  await page.goto(framed);
  const frame = await (await page.waitForSelector("iframe", PATIENCE)).contentFrame();
  return win(frame);
}

await page.goto(url);
const won = [await win(page)];
won.push(await winFramed());
await page.goto(url);
await page.waitForFunction(async () => navigator.serviceWorker.controller && (await caches.match("words/fr.json")), PATIENCE);
console.log("kept");
await new Promise((go) => process.stdin.once("data", go));
await page.goto(url);
won.push(await win(page));
await page.click("#sound");
await page.select("#language", "fr");
await page.waitForSelector("html[lang=fr]", PATIENCE);
won.push(await winFramed());
console.log(JSON.stringify({ won, trouble }));
await firefox.close();
process.exit();
