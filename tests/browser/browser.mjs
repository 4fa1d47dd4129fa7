// SPDX-License-Identifier: GPL-2.0-only
/*
 * What browser tests share: a headless Chromium, pages that record whatever goes wrong
 * on them, and results as lines. Knows nothing of the pages under test.
 */
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.NODE_PATH, "x.js"));
const { chromium } = require("playwright-core");

export const pictures = process.env.PICTURES;
export const screenshots = process.env.SCREENSHOTS;

let failed = 0;

export function check(name, good, found) {
	if (good) {
		console.log("ok - " + name);
		return;
	}
	failed++;
	console.log("not ok - " + name);
	if (found !== undefined)
		console.log("# found: " + JSON.stringify(found));
}

export function equal(name, found, wanted) {
	check(name, JSON.stringify(found) === JSON.stringify(wanted), found);
}

/*
 * A picture of the page for people to look at. No test depends on it: a machine under load
 * may fail to take one, which is said.
 */
export async function shoot(page, file) {
	for (let left = 3; left; left--) {
		try {
			await page.screenshot({ path: file });
			return;
		} catch (error) {
			if (left === 1)
				console.log(`# no screenshot ${path.basename(file)}: ${error.message.split("\n")[0]}`);
		}
	}
}

/* A user data folder of its own is made and removed by launch(). */
export async function withBrowser(run) {
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM,
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		       "--disable-background-networking", "--disable-component-update",
		       "--disable-sync"],
	});

	try {
		await run(browser);
	} catch (error) {
		check("the tests run to their end", false, String(error && error.stack));
	} finally {
		await browser.close();
	}
	process.exitCode = failed ? 1 : 0;
}

/*
 * Opens a file of the pictures folder. page.trouble collects console errors, exceptions,
 * dialogs, and every call of hacked(), which no page may ever make.
 */
export async function open(browser, file, options = {}) {
	const { width = 1200, height = 700, colorScheme = "light", query = "", ...more } = options;
	const context = await browser.newContext({ viewport: { width, height }, colorScheme, ...more });
	const page = await context.newPage();

	page.trouble = [];
	page.on("console", (m) => {
		if (m.type() === "error" || m.type() === "warning")
			page.trouble.push(m.text());
	});
	page.on("pageerror", (e) => page.trouble.push(String(e)));
	page.on("dialog", (d) => {
		page.trouble.push("dialog " + d.message());
		d.dismiss();
	});
	await page.exposeFunction("hacked", () => page.trouble.push("hacked() was called"));
	await page.goto("file://" + path.join(pictures, file) + query);
	return page;
}
