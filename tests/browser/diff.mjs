// SPDX-License-Identifier: GPL-2.0-only
//
// A difference in Chromium: what the details line tells of a box, that a search sees names
// and not the counts behind them, that zooming keeps to what is there. Arguments: the
// picture, where screenshots go.

import path from "node:path";
import { createRequire } from "node:module";
import { shoot } from "./browser.mjs";

const { chromium } = createRequire(path.join(process.env.NODE_PATH, "x"))("playwright-core");
const [picture, shots] = process.argv.slice(2);
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM, args: ["--no-sandbox"],
});
let failed = false;

function equal(name, found, expected) {
	const good = JSON.stringify(found) === JSON.stringify(expected);

	console.log(`${good ? "ok" : "not ok"} - ${name}`);
	if (!good)
		console.log(`# found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
	failed ||= !good;
}

// What vanished stands on the left, so the last one is that of the profile after.
const box = (page, name) => page.locator("#frames g", {
	has: page.locator("title", { hasText: new RegExp("^" + name + " \\(") }),
}).last();

for (const scheme of ["light", "dark"]) {
	const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 1200, height: 400 } });
	const errors = [];

	page.on("console", message => message.type() === "error" && errors.push(message.text()));
	page.on("pageerror", error => errors.push(String(error)));
	await page.goto("file://" + picture);
	await shoot(page, path.join(shots, `diff-${scheme}.png`));
	await box(page, "f").hover();
	equal(`${scheme}: the details tell both counts`,
	      await page.locator("#details").textContent(),
	      "Function: f (27 samples, 27.00%; before 15, 15.00%: +12, +80.00%)");
	await page.keyboard.press("Control+f");
	await page.keyboard.type("before");
	equal(`${scheme}: a search sees names only`, await page.locator("#frames g.match").count(), 0);
	await page.keyboard.press("Control+a");
	await page.keyboard.type("^(old|new)$");
	equal(`${scheme}: and finds new and vanished frames`,
	      await page.locator("#frames g.match").count(), 2);
	await page.keyboard.press("Escape");
	await box(page, "old").click();
	await page.mouse.move(5, 5);
	equal(`${scheme}: zoom shows the vanished stack alone`,
	      await page.locator("#frames g:visible title").evaluateAll(all =>
			all.map(t => t.textContent.replace(/ \(.*/, ""))),
	      ["all", "[vanished]", "m", "f", "old"]);
	equal(`${scheme}: no error on the console`, errors, []);
	await page.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
