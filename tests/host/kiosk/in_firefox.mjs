// Plays one match in Firefox by mouse on the lamps: in_firefox.mjs FIREFOX PROFILE URL; prints what it saw, as JSON.

import puppeteer from "puppeteer-core";

const [executablePath, userDataDir, url] = process.argv.slice(2);
const firefox = await puppeteer.launch({ browser: "firefox", executablePath, userDataDir, headless: true });
const page = await firefox.newPage();
const trouble = [];
page.on("pageerror", (error) => trouble.push(error.message));

/** Wait for a selector as long as a loaded machine may take. */
const until = (selector) => page.waitForSelector(selector, { timeout: 60_000 });
const lit = () => page.$$eval(".lamps .lit", (lamps) => lamps.length);

await page.setViewport({ width: 1366, height: 768 });
await page.goto(url);
await until("[data-state=player] .live");
const before = await lit();
await page.hover("[data-lamp='1']");
await until("[data-lamp='1'].going");
await page.click("[data-lamp='1']"); // of a row of three: two go out
await until("[data-lamp='2'].picked");
const picked = await page.$$eval(".picked", (lamps) => lamps.map((lamp) => Number(lamp.dataset.lamp)));
await page.click("#go");
await until("[data-state=verdict]");
const won = Boolean(await until("#you-win.lit"));
await page.click("#choose");
const cards = (await until(".cards li")) && (await page.$$eval(".cards li", (items) => items.length));
await page.keyboard.press("Escape");
await page.click("#sound");
const comfort = Boolean(await until("#comfort:popover-open"));
await page.keyboard.press("Escape");
const wide = [];
for (const [width, height] of [[390, 844], [683, 384], [320, 568], [1920, 1080]]) {
  await page.setViewport({ width, height });
  wide.push(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}
console.log(JSON.stringify({ before, picked, won, cards, comfort, wide, trouble }));
await firefox.close();
