// SPDX-License-Identifier: GPL-2.0-only
//
// What speedscope understands of a file: opens it in speedscope's own page, lets that save
// it, and prints the saved profiles as folded stacks, sorted; the first line of each names
// it. Arguments: speedscope's release folder, the file.

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const { chromium } = createRequire(path.join(process.env.NODE_PATH, "x"))("playwright-core");
const [release, file] = process.argv.slice(2);

// Stacks and weights of one profile, whichever of the two ways it is told in.
function foldProfile(profile, frames) {
	const sums = new Map();
	const add = (stack, value) => {
		const key = stack.map(i => frames[i].name).join(";");

		sums.set(key, (sums.get(key) || 0) + value);
	};

	if (profile.type === "sampled") {
		profile.samples.forEach((stack, i) => add(stack, profile.weights[i]));
	} else {
		const open = [];
		let last = profile.startValue;

		for (const event of profile.events) {
			if (event.at > last && open.length)
				add(open, event.at - last);
			last = event.at;
			if (event.type === "O")
				open.push(event.frame);
			else
				open.pop();
		}
	}
	return [...sums].map(([stack, value]) => `${stack} ${value}`).sort();
}

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM, args: ["--no-sandbox"],
});
const page = await browser.newPage({ acceptDownloads: true });

await page.goto("file://" + release + "/index.html");
await page.setInputFiles("input[type=file]", file);
const [download] = await Promise.all([
	page.waitForEvent("download", { timeout: 60000 }),
	page.getByText("Export").first().click({ timeout: 60000 }),
]);
const saved = JSON.parse(fs.readFileSync(await download.path(), "utf8"));

for (const profile of saved.profiles) {
	console.log(`# ${profile.name}, ${profile.unit}`);
	for (const line of foldProfile(profile, saved.shared.frames))
		console.log(line);
}
await browser.close();
