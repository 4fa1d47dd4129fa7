// SPDX-License-Identifier: GPL-2.0-only
//
// Reads what `flame export` wrote by other means than flame's, and prints it as folded
// stacks, sorted. Argument 1: pprof (by npm's pprof-format, found by NODE_PATH), firefox
// (after checking the structure that the processed format, version 48, asks for), chrome
// (balanced, in time), d3 or jsonl; argument 2: the file.

import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";

const sums = new Map();

function add(stack, value) {
	const key = stack.join(";");

	sums.set(key, (sums.get(key) || 0n) + BigInt(value));
}

function check(good, what) {
	if (!good)
		throw new Error(what);
}

function readPprof(file) {
	const { Profile } = createRequire(path.join(process.env.NODE_PATH, "x"))("pprof-format");
	const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
	const text = i => profile.stringTable.strings[Number(i)];
	const functions = new Map(profile.function.map(f => [Number(f.id), text(f.name)]));
	const locations = new Map(profile.location.map(l => [Number(l.id), l]));
	const mappings = new Set(profile.mapping.map(m => Number(m.id)));

	for (const location of profile.location)
		check(!Number(location.mappingId) || mappings.has(Number(location.mappingId)), "mapping");
	for (const sample of profile.sample) {
		check(sample.value.length === profile.sampleType.length, "a value for each type");
		add(sample.locationId.map(id =>
			functions.get(Number(locations.get(Number(id)).line[0].functionId))).reverse(),
		    sample.value[0]);
	}
}

// Every column of a table has the table's length.
function checkTable(name, table, columns) {
	check(Number.isInteger(table.length), `${name}.length`);
	for (const column of columns)
		check(Array.isArray(table[column]) && table[column].length === table.length,
		      `${name}.${column} has ${table.length} entries`);
}

function checkRange(name, values, end, nullable) {
	for (const value of values)
		check((nullable && value === null) ||
		      (Number.isInteger(value) && value >= 0 && value < end), `${name}: ${value}`);
}

function readFirefoxThread(thread, profile) {
	const { stackTable, frameTable, funcTable, resourceTable, samples, stringArray } = thread;
	const categories = profile.meta.categories.length;

	for (const key of ["name", "processType", "pid", "tid"])
		check(typeof thread[key] === "string", `thread.${key} is a string`);
	check(typeof thread.isMainThread === "boolean", "thread.isMainThread");
	check(Array.isArray(thread.pausedRanges), "thread.pausedRanges");
	checkTable("samples", samples, ["stack", "time", "weight"]);
	checkTable("stackTable", stackTable, ["frame", "prefix", "category", "subcategory"]);
	checkTable("frameTable", frameTable, ["address", "inlineDepth", "category", "subcategory",
		"func", "nativeSymbol", "innerWindowID", "implementation", "line", "column"]);
	checkTable("funcTable", funcTable, ["isJS", "relevantForJS", "name", "resource", "fileName",
		"lineNumber", "columnNumber"]);
	checkTable("resourceTable", resourceTable, ["lib", "name", "host", "type"]);
	checkTable("nativeSymbols", thread.nativeSymbols, ["libIndex", "address", "name",
		"functionSize"]);
	checkTable("markers", thread.markers, ["data", "name", "startTime", "endTime", "phase",
		"category"]);
	checkRange("samples.stack", samples.stack, stackTable.length, true);
	checkRange("stackTable.frame", stackTable.frame, frameTable.length);
	checkRange("stackTable.category", stackTable.category, categories);
	checkRange("frameTable.func", frameTable.func, funcTable.length);
	checkRange("frameTable.category", frameTable.category, categories);
	checkRange("funcTable.name", funcTable.name, stringArray.length);
	checkRange("funcTable.resource", funcTable.resource.filter(i => i !== -1),
		   resourceTable.length);
	checkRange("resourceTable.lib", resourceTable.lib, profile.libs.length);
	checkRange("resourceTable.name", resourceTable.name, stringArray.length);
	// A stack's prefix stands before it: the viewer goes through the table once.
	stackTable.prefix.forEach((prefix, i) => check(prefix === null || prefix < i, "prefix"));
	samples.time.forEach((time, i) => check(!i || time >= samples.time[i - 1], "time order"));
	samples.stack.forEach((stack, i) => {
		const names = [];

		for (let at = stack; at !== null; at = stackTable.prefix[at])
			names.unshift(stringArray[funcTable.name[frameTable.func[stackTable.frame[at]]]]);
		add(names, samples.weight[i]);
	});
}

function readFirefox(file) {
	const profile = JSON.parse(fs.readFileSync(file, "utf8"));

	check(profile.meta.preprocessedProfileVersion === 48, "version");
	for (const key of ["interval", "startTime", "processType", "stackwalk", "version"])
		check(typeof profile.meta[key] === "number", `meta.${key} is a number`);
	check(typeof profile.meta.product === "string", "meta.product");
	check(Array.isArray(profile.meta.markerSchema), "meta.markerSchema");
	for (const category of profile.meta.categories)
		check(category.name && category.color && category.subcategories.length, "category");
	check(profile.meta.categories.some(c => c.color === "grey"), "a grey category");
	for (const lib of profile.libs)
		for (const key of ["arch", "name", "path", "debugName", "debugPath", "breakpadId"])
			check(typeof lib[key] === "string", `lib.${key}`);
	for (const thread of profile.threads)
		readFirefoxThread(thread, profile);
}

function readChrome(file) {
	const threads = new Map();

	for (const event of JSON.parse(fs.readFileSync(file, "utf8")).traceEvents) {
		const key = `${event.pid}/${event.tid}`;
		const thread = threads.get(key) || { open: [], ts: 0 };

		if (event.ph === "M")
			continue;
		threads.set(key, thread);
		check(event.ts >= thread.ts, "times in order");
		if (thread.open.length && event.ts > thread.ts)
			add(thread.open, Math.round((event.ts - thread.ts) * 1000) / 1000);
		thread.ts = event.ts;
		if (event.ph === "B")
			thread.open.push(event.name);
		else
			check(thread.open.pop() === event.name, `E ${event.name} ends what is open`);
	}
	for (const thread of threads.values())
		check(!thread.open.length, "all is ended");
}

function readD3(file) {
	const walk = (node, stack) => {
		const inner = (node.children || []).reduce((sum, child) => sum + child.value, 0);

		if (node.value > inner)
			add(stack, node.value - inner);
		for (const child of node.children || [])
			walk(child, [...stack, child.name]);
	};

	walk(JSON.parse(fs.readFileSync(file, "utf8")), []);
}

function readJsonl(file) {
	const marks = { kernel: "_[k]", inlined: "_[i]", jit: "_[j]", waker: "_[w]" };

	for (const line of fs.readFileSync(file, "utf8").trimEnd().split("\n")) {
		const sample = JSON.parse(line);

		add(sample.stack.map(f => f.name + (marks[f.kind] || "")), sample.value);
	}
}

({ pprof: readPprof, firefox: readFirefox, chrome: readChrome, d3: readD3,
   jsonl: readJsonl })[process.argv[2]](process.argv[3]);
console.log([...sums].map(([stack, value]) => `${stack} ${value}`).sort().join("\n"));
