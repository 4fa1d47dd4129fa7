// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pictures of `flame svg` in Chromium. Expected numbers follow from the inputs in
 * tests/data/svg by hand: kinds.folded weighs 200, of which main 100, parse 50 (30 of
 * its own, 20 in lex), run 50 (do_syscall_64 25, step 15, Foo::bar 10), cpu_idle 100.
 */
import path from "node:path";
import { check, equal, open, screenshots, shoot, withBrowser } from "./browser.mjs";

/* A locator of the boxes with that name, in a page or a picture on it. */
function box(scope, name) {
	const page = scope.page ? scope.page() : scope;
	const hasText = new RegExp("^" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + " \\(");

	return scope.locator(".frames > g").filter({ has: page.locator("title", { hasText }) });
}

const text = async (scope, selector) => (await scope.locator(selector).textContent()).trim();
const shownNames = (page) => page.$$eval(".frames > g", (all) =>
	all.filter((g) => g.getClientRects().length && getComputedStyle(g).display !== "none")
		.map((g) => g.querySelector("title").textContent.replace(/ \(.*/, "")));
const matchNames = (page) => page.$$eval(".frames > g", (all) =>
	all.filter((g) => getComputedStyle(g.querySelector("rect")).fill === "rgb(230, 0, 230)")
		.map((g) => g.querySelector("title").textContent.replace(/ \(.*/, "")));
const rectOf = (page, name) => page.$$eval(".frames > g", (all, wanted) => {
	const g = all.find((one) => one.querySelector("title").textContent.startsWith(wanted + " ("));
	const r = g.querySelector("rect");

	return [Number(r.getAttribute("x")), Number(r.getAttribute("width"))];
}, name);

async function search(page, term) {
	await page.keyboard.press("Control+f");
	await page.keyboard.type(term);
}

async function details(browser) {
	const page = await open(browser, "kinds.svg");

	await box(page, "parse").hover();
	equal("hovering shows name, count and share", await text(page, "#details"),
	      "Function: parse (50 samples, 25.00%)");
	equal("and shares of parent and self", await text(page, ".shares"),
	      "50.00% of parent \u00b7 self 30 (15.00%)");
	check("the legend makes room", await page.locator(".legend").isHidden());
	await page.mouse.move(600, 5);
	equal("leaving clears them", await text(page, "#details"), "");
	check("the legend comes back", await page.locator(".legend").isVisible());
	equal("the root is all", await page.locator(".frames > g title").first().textContent(),
	      "all (200 samples, 100%)");
	equal("nothing went wrong", page.trouble, []);
	await page.context().close();
}

async function zoom(browser) {
	const page = await open(browser, "kinds.svg");

	equal("boxes lie where they should at 1200 px", await rectOf(page, "run"), [305, 295]);
	check("no Reset Zoom at first", await page.locator("#unzoom").isHidden());
	await box(page, "run").click();
	equal("a click zooms: the box takes the whole width", await rectOf(page, "run"), [10, 1180]);
	/* Foo::bar 10 of 50, then do_syscall_64 25: 1180 / 50 = 23.6 px a sample */
	equal("what is above it grows alike", await rectOf(page, "do_syscall_64"), [246, 590]);
	equal("below it the callers stay, others are hidden", await shownNames(page),
	      ["all", "app", "main", "run", "Foo::bar", "do_syscall_64", "vfs_read", "step"]);
	await box(page, "step").hover();
	equal("shares of what is zoomed to", await text(page, ".shares"),
	      "30.00% of parent \u00b7 30.00% of zoomed \u00b7 self 15 (7.50%)");
	await box(page, "do_syscall_64").click();
	equal("a second click zooms on", await rectOf(page, "vfs_read"), [10, 1180]);
	await page.locator(".back").click();
	equal("Back goes one step back", await rectOf(page, "do_syscall_64"), [246, 590]);
	await box(page, "main").click();
	equal("a click on a caller zooms out to it", await rectOf(page, "parse"), [10, 590]);
	await page.locator("#unzoom").click();
	equal("Reset Zoom shows all again", (await shownNames(page)).length, 12);
	equal("at their places", await rectOf(page, "run"), [305, 295]);
	check("Reset Zoom is gone", await page.locator("#unzoom").isHidden());
	await page.setViewportSize({ width: 620, height: 500 });
	await page.waitForFunction(() => document.documentElement.getBoundingClientRect().width === 620);
	await page.waitForTimeout(100);
	equal("a fluid picture follows the page", await rectOf(page, "run"), [160, 150]);
	equal("nothing went wrong", page.trouble, []);
	await page.context().close();
}

async function searching(browser) {
	const page = await open(browser, "kinds.svg");

	await search(page, "^(parse|lex|step)$");
	equal("a regular expression marks boxes", await matchNames(page), ["parse", "lex", "step"]);
	/* parse 50 holds lex; step 15: 65 of 200 */
	equal("matched counts each sample once", await text(page, "#matched"),
	      "Matched: 32.50% \u00b7 3 boxes");
	await page.keyboard.press("Enter");
	equal("Enter goes to the first hit", await text(page, "#details"),
	      "Function: parse (50 samples, 25.00%)");
	check("and says which it is", (await text(page, "#matched")).endsWith("1 of 3 boxes"));
	await page.keyboard.press("Shift+Enter");
	equal("Shift-Enter goes back, round the end", await text(page, "#details"),
	      "Function: step (15 samples, 7.50%)");
	await box(page, "run").click();
	equal("after a zoom what is visible counts, of what is zoomed to",
	      await text(page, "#matched"), "Matched: 30.00% \u00b7 1 box");
	await page.locator("#unzoom").click();
	await page.keyboard.press("n");
	equal("n is the next hit", await text(page, "#details"), "Function: parse (50 samples, 25.00%)");
	await page.keyboard.press("N");
	equal("N the previous one", await text(page, "#details"), "Function: step (15 samples, 7.50%)");
	await page.keyboard.press("Escape");
	equal("Esc clears the search", [await matchNames(page), await text(page, "#matched")], [[], ""]);
	check("and its field", await page.locator(".search-panel").isHidden());

	await page.keyboard.press("F3");
	await page.keyboard.type("samples");
	equal("names only are searched, and no hit is said", await text(page, "#matched"),
	      "Matched: 0.00% \u00b7 0 boxes");
	await page.keyboard.press("Control+a");
	await page.keyboard.type("Foo::bar(");
	check("an invalid regular expression says so", (await text(page, "#details"))
		.startsWith("not a regular expression"));
	equal("and is searched as plain text", await matchNames(page), []);
	await page.keyboard.press("Control+a");
	await page.keyboard.type("PARSE");
	equal("case counts", await matchNames(page), []);
	await page.keyboard.press("Control+i");
	equal("until Ctrl-I", await matchNames(page), ["parse"]);
	await page.locator(".panel button[aria-label^=close]").click();
	equal("the cross closes it", await matchNames(page), []);
	await page.locator("#search").click();
	await page.keyboard.type("lex");
	equal("the Search control opens it too", await matchNames(page), ["lex"]);
	equal("nothing went wrong", page.trouble, []);
	await page.context().close();
}

async function address(browser) {
	let page = await open(browser, "kinds.svg");

	await box(page, "run").click();
	await search(page, "step");
	const query = new URL(page.url()).search;

	/* run begins at sample 50, in row 3 */
	equal("zoom and search stand in the address", query, "?x=50&y=3&s=step");
	await page.context().close();
	page = await open(browser, "kinds.svg", { query, width: 820 });
	equal("the address brings them back at any width",
	      [await rectOf(page, "run"), await matchNames(page), await text(page, "#matched")],
	      [[10, 800], ["step"], "Matched: 30.00% \u00b7 1 box"]);
	await page.locator("#unzoom").click();
	await page.keyboard.press("Escape");
	equal("and is clean again afterwards", new URL(page.url()).search, "");
	await page.context().close();
	page = await open(browser, "kinds.svg", { query: "?x=1e99&y=-1&s=%28" });
	equal("nonsense in it does no harm", (await shownNames(page)).length, 12);
	equal("nothing went wrong", page.trouble, []);
	await page.context().close();
}

async function keyboard(browser) {
	const page = await open(browser, "kinds.svg");
	const name = async () => (await text(page, "#details")).replace(/^Function: | \(.*/g, "");
	const walk = [];

	await page.locator(".frames").focus();
	for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowUp",
			   "ArrowLeft", "ArrowDown"]) {
		await page.keyboard.press(key);
		walk.push(await name());
	}
	equal("arrows walk over the boxes", walk,
	      ["all", "app", "main", "parse", "run", "do_syscall_64", "Foo::bar", "run"]);
	await page.keyboard.press("Enter");
	equal("Enter zooms to the one selected", await rectOf(page, "run"), [10, 1180]);
	await page.keyboard.press("Backspace");
	equal("Backspace goes back", await rectOf(page, "run"), [305, 295]);
	await page.keyboard.press("c");
	await page.waitForFunction(() => document.querySelector("#details").textContent.startsWith("Copied"));
	equal("c copies its name", await text(page, "#details"), "Copied: run");
	await page.keyboard.press("Enter");
	await page.keyboard.press("Escape");
	await page.keyboard.press("Escape");
	equal("Esc gives up the selection, then the zoom", await rectOf(page, "run"), [305, 295]);
	equal("nothing went wrong", page.trouble, []);
	await page.context().close();
}

async function twoOnOnePage(browser) {
	const page = await open(browser, "two.html");
	const first = page.locator("svg.flame-graph").nth(0);
	const second = page.locator("svg.flame-graph").nth(1);
	const width = (graph, name) => graph.evaluate((svg, wanted) =>
		[...svg.querySelectorAll(".frames > g")].find((g) =>
			g.querySelector("title").textContent.startsWith(wanted))
			.querySelector("rect").getBoundingClientRect().width, name);
	const before = await width(first, "run");

	await box(second, "run").click();
	check("a zoom in one picture", await width(second, "run") > 1000);
	equal("leaves the other alone", await width(first, "run"), before);
	await page.keyboard.press("Control+f");
	await page.keyboard.type("step");
	equal("search goes to the one under the pointer",
	      [await first.locator(".match").count(), await second.locator(".match").count()], [0, 1]);
	check("their addresses do not meet", new URL(page.url()).search === "?g1.x=50&g1.y=3&g1.s=step",
	      page.url());
	await page.locator("#mine").click();
	await page.keyboard.type("nN c");
	equal("keys typed elsewhere stay there", await page.locator("#mine").inputValue(), "nN c");
	equal("ids stay unique", await page.evaluate(() => {
		const ids = [...document.querySelectorAll("[id]")].map((n) => n.id)
			.filter((id) => !id.startsWith("background"));

		return ids.length - new Set(ids).size;
	}), 0);
	equal("nothing went wrong", page.trouble, []);
	await page.context().close();
}

async function hostile(browser) {
	for (const file of ["hostile.svg", "hostile.html"]) {
		const page = await open(browser, file);
		const boxes = page.locator(".frames > g");
		const count = await boxes.count();

		for (let i = 0; i < count; i++)
			await boxes.nth(i).hover();
		await search(page, "hacked");
		for (let i = 0; i < count; i++)
			await page.keyboard.press("Enter");
		await page.keyboard.press("Escape");
		await boxes.nth(count - 1).click();
		equal("no name or option runs as a script in " + file, page.trouble, []);
		equal("nor becomes an element of " + file,
		      await page.locator("svg img, svg script").count(), 1);
		await page.context().close();
	}
}

async function others(browser) {
	let page = await open(browser, "fixed.svg", { width: 1200 });

	equal("a fixed width stays", await page.evaluate(() =>
		document.documentElement.getBoundingClientRect().width), 800);
	await box(page, "run").click();
	equal("and zooms within", await rectOf(page, "run"), [10, 780]);
	await page.context().close();

	page = await open(browser, "tall.svg");
	const inSight = (selector) => page.$eval(selector, (node) => {
		const r = node.getBoundingClientRect();

		return r.top >= 0 && r.bottom <= window.innerHeight;
	});
	await box(page, "f119").hover();
	check("the details of a tall picture are in sight", await inSight("#details"));
	await page.evaluate(() => window.scrollTo(0, 600));
	await page.waitForTimeout(200);
	check("title and search too when scrolled", await inSight("#title") && await inSight("#search"));
	equal("nothing went wrong", page.trouble, []);
	await page.context().close();

	page = await open(browser, "links.svg");
	await box(page, "main").click();
	check("a box with a link goes there", page.url().endsWith("#there"), page.url());
	await box(page, "main").click({ modifiers: ["Control"] });
	equal("and zooms with Ctrl", await rectOf(page, "main"), [10, 1180]);
	await page.context().close();

	page = await open(browser, "diff.svg");
	await box(page, "f").hover();
	equal("a difference is shown", await text(page, "#details"),
	      "Function: f (6 samples, 60.00%; +40.00%)");
	await page.context().close();

	page = await open(browser, "kinds.svg", { javaScriptEnabled: false });
	equal("without scripts the labels are there",
	      await page.locator(".frames text", { hasText: "do_syscall_64" }).count(), 1);
	check("and no control that would do nothing", await page.locator("#search").isHidden());
	await page.context().close();
}

async function pictures(browser) {
	for (const file of ["kinds", "hot", "icicle", "diff", "tall"])
		for (const width of [400, 1200])
			for (const colorScheme of ["light", "dark"]) {
				const page = await open(browser, file + ".svg", { width, colorScheme, height: 500 });

				await shoot(page, path.join(screenshots,
							    `svg-${file}-${width}-${colorScheme}.png`));
				if (file === "kinds") {
					await box(page, "run").click();
					await search(page, "parse|step|vfs");
					await page.keyboard.press("Enter");
					await box(page, "do_syscall_64").hover();
					await shoot(page, path.join(screenshots,
								    `svg-search-${width}-${colorScheme}.png`));
				}
				if (file === "kinds" && width === 1200)
					equal("the page is " + colorScheme + " where the user's is",
					      await page.$eval(".background", (node) =>
						getComputedStyle(node).fill.startsWith("url")),
					      colorScheme === "light");
				if (width === 400)
					check(`${file} at 400 px does not scroll sideways, ${colorScheme}`,
					      await page.evaluate(() =>
						document.documentElement.scrollWidth <= 400));
				await page.context().close();
			}
}

await withBrowser(async (browser) => {
	for (const test of [details, zoom, searching, address, keyboard, twoOnOnePage, hostile, others,
			    pictures])
		await test(browser);
});
