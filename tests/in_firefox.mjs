// Wins matches in Firefox by mouse on the lamps: in_firefox.mjs FIREFOX PROFILE.
// Each line of standard input is the URL of a page, or of a page with it in a frame, in which the
// player moves first from a row of three. Each line of output is what it saw, as JSON. After the
// line "kept" it waits until the browser has kept everything.

import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const PATIENCE = { timeout: 120_000 };
const [executablePath, userDataDir] = process.argv.slice(2);
const how = { browser: "firefox", executablePath, userDataDir, headless: true };
const firefox = await puppeteer.launch(how);
const page = await firefox.newPage();
const trouble = [];
page.on("pageerror", (error) => trouble.push(error.message));
const isKept = async () =>
  navigator.serviceWorker.controller && (await caches.match("words/fr.json"));

async function win(url) {
  await page.setViewport({ width: 1366, height: 900 });
  await page.goto(url);
  const frame = await page.$("iframe");
  const place = frame ? await frame.contentFrame() : page;
  const until = (selector) => place.waitForSelector(selector, PATIENCE);
  const numbers = (selector) =>
    place.$$eval(selector, (lamps) => lamps.map((lamp) => Number(lamp.dataset.lamp)));
  await until("[data-state=player] .live");
  const before = await numbers(".lamps .lit");
  await place.hover("[data-lamp='1']");
  await until("[data-lamp='1'].going");
  await place.click("[data-lamp='1']"); // two go out
  await until("[data-lamp='2'].picked");
  const picked = await numbers(".picked");
  await place.click("#go");
  await until("[data-state=verdict] #you-win.lit");
  const lit = await place.$$eval("#signs .lit", (signs) => signs.map((sign) => sign.id));
  await place.click("#choose");
  await until(".cards li");
  const cards = (await place.$$(".cards li")).length;
  await page.keyboard.press("Escape");
  await place.click("#sound");
  await until("#comfort:popover-open");
  await place.select("#language", "fr");
  await until("html[lang=fr]");
  await page.keyboard.press("Escape");
  const wide = [];
  for (const [width, height] of [[390, 844], [683, 384], [320, 568], [1920, 1080]]) {
    await page.setViewport({ width, height });
    wide.push(await place.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  return { before, picked, lit, cards, wide, trouble };
}

for await (const line of createInterface({ input: process.stdin })) {
  const wait = async () => Boolean(await page.waitForFunction(isKept, PATIENCE));
  console.log(JSON.stringify(line === "kept" ? await wait() : await win(line)));
}
await firefox.close();
process.exit();
