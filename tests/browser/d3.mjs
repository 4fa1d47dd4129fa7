// SPDX-License-Identifier: GPL-2.0-only
//
// What d3-flame-graph draws of a tree: prints "NAME WIDTH" of each box, the width as the
// count it stands for. Arguments: the folder of the npm packages, the JSON file.

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const { chromium } = createRequire(path.join(process.env.NODE_PATH, "x"))("playwright-core");
const [modules, file] = process.argv.slice(2);
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM, args: ["--no-sandbox"],
});
const page = await browser.newPage();

await page.setContent("<!DOCTYPE html><div id='chart'></div>");
await page.addScriptTag({ path: path.join(modules, "d3/dist/d3.js") });
await page.addScriptTag({ path: path.join(modules, "d3-flame-graph/dist/d3-flamegraph.js") });
const boxes = await page.evaluate(async tree => {
	const chart = flamegraph().width(1000).minFrameSize(0).transitionDuration(0);

	d3.select("#chart").datum(tree).call(chart);
	await new Promise(resolve => setTimeout(resolve, 500));
	return [...document.querySelectorAll("g.frame")].map(g => {
		const width = Number(g.querySelector("rect").getAttribute("width"));

		return `${g.getAttribute("name")} ${Math.round(width / 1000 * tree.value)}`;
	});
}, JSON.parse(fs.readFileSync(file, "utf8")));

console.log(boxes.sort().join("\n"));
await browser.close();
