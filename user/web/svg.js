// SPDX-License-Identifier: GPL-2.0-only
/*
 * Brings a picture of `flame svg` to life: details, zoom, search, keys, state in the
 * address. All state lies in the closure of its <svg>, so that several pictures share a
 * page. Names are text: they go into text nodes and input values, never into markup,
 * script or selectors. ASCII only.
 */
(function () {
"use strict";

const SVG_NS = "http://www.w3.org/2000/svg";
const HTML_NS = "http://www.w3.org/1999/xhtml";
const MANY_BOXES = 5000;	/* more are not searched at each key */
const NARROW = 640;		/* px: less has no room for two things in a line */

function clamp(value, min, max) {
	return Math.max(min, Math.min(max, value));
}

function withCommas(value) {
	return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

function percent(part, whole) {
	return whole > 0 ? (100 * part / whole).toFixed(2) + "%" : "0.00%";
}

function escapeRegExp(text) {
	return text.replace(/[.*+?^${}()|[\]\\\/-]/g, "\\$&");
}

/* Width of text in px, by characters: measured once each, kerning left out. */
function measurer(root) {
	const style = getComputedStyle(root);
	const canvas = document.createElementNS(HTML_NS, "canvas");
	const context = canvas.getContext && canvas.getContext("2d");
	const known = new Map();
	const size = parseFloat(style.fontSize) || 12;

	if (context)
		context.font = size + "px " + style.fontFamily;

	function char(c) {
		let width = known.get(c);

		if (width === undefined) {
			width = context ? context.measureText(c).width : size * 0.59;
			known.set(c, width);
		}
		return width;
	}

	function text(string) {
		let width = 0;

		for (const c of string)
			width += char(c);
		return width;
	}

	/* As much of string as fits, ".." for the rest; "" when next to nothing would. */
	function fit(string, room) {
		const dots = 2 * char(".");
		let width = 0;
		let length = 0;
		let cut = 0;

		for (const c of string) {
			width += char(c);
			length += c.length;
			if (width + dots <= room)
				cut = length;
			if (width > room)
				return cut ? string.slice(0, cut) + ".." : "";
		}
		return string;
	}

	/* The same with the dots in the middle: both ends of a long name tell something. */
	function fitMiddle(string, room) {
		const chars = Array.from(string.length > 4000 ? string.slice(0, 4000) : string);
		let low = 0;
		let high = chars.length;

		if (text(string) <= room)
			return string;
		while (low < high) {
			const mid = (low + high + 1) >> 1;
			const tail = mid >> 1;

			if (text(chars.slice(0, mid - tail).join("") + ".." +
				 chars.slice(chars.length - tail).join("")) <= room)
				low = mid;
			else
				high = mid - 1;
		}
		return chars.slice(0, low - (low >> 1)).join("") + ".." +
		       chars.slice(chars.length - (low >> 1)).join("");
	}

	return { text: text, fit: fit, fitMiddle: fitMiddle };
}

/* The boxes in document order, which is preorder: a subtree is a range. */
function readBoxes(frames, settings) {
	const counts = new RegExp(" \\([\\d,]+ " + escapeRegExp(settings.countname) +
				  "(, [\\d.]+%)?(; [^()]*)?\\)$");
	const boxes = [];
	const open = [];
	let first = null;

	for (const g of frames.children) {
		const rect = g.querySelector("rect");
		const text = g.querySelector("text");
		const titleNode = g.querySelector("title");

		if (!rect || !titleNode)
			continue;
		const y = Number(rect.getAttribute("y"));
		const title = titleNode.textContent;
		const found = counts.exec(title);

		if (first === null)
			first = y;
		const depth = Math.round(Math.abs(y - first) / settings.height);
		const box = {
			index: boxes.length, g: g, rect: rect, text: text, title: title,
			name: found ? title.slice(0, found.index) : title,
			counts: found ? found[0] : "",
			x: Number(g.getAttribute("data-x")), w: Number(g.getAttribute("data-w")),
			y: y, depth: depth, parent: null, end: 0, self: 0,
			left: NaN, width: NaN, label: text ? null : "", shown: true, dimmed: false,
		};

		open.length = Math.min(open.length, depth);
		if (depth)
			box.parent = open[depth - 1];
		open[depth] = box;
		boxes.push(box);
	}
	for (let i = boxes.length - 1; i >= 0; i--) {
		const box = boxes[i];

		box.end = Math.max(box.end, i + 1);
		if (box.parent)
			box.parent.end = Math.max(box.parent.end, box.end);
	}
	return boxes;
}

/* What no child accounts for; given where boxes too narrow were left out. */
function fillSelf(boxes) {
	for (const box of boxes)
		box.self = box.w;
	for (const box of boxes)
		if (box.parent)
			box.parent.self -= box.w;
	for (const box of boxes) {
		const given = box.g.getAttribute("data-self");

		if (given !== null)
			box.self = Number(given);
	}
}

function start(root, number) {
	const settings = JSON.parse(root.getAttribute("data-flame"));
	const standalone = root === document.documentElement;
	const find = (name) => root.querySelector("." + name);
	const frames = find("frames");
	const header = find("header");
	const footer = find("footer");
	const title = find("title");
	const subtitle = find("subtitle");
	const details = find("details");
	const shares = find("shares");
	const legend = find("legend");
	const warning = find("warning");
	const matched = find("matched");
	const unzoom = find("unzoom");
	const searchControl = find("search");
	const boxes = readBoxes(frames, settings);
	const titleText = title.textContent;
	const measure = measurer(root);
	const rows = [];
	const history = [];	/* boxes zoomed to before */
	let zoomed = boxes[0];
	let selected = null;
	let hovered = null;
	let width = 0;
	let panel = null;	/* the search field, once it has been opened */
	let term = "";
	let ignoreCase = false;
	let hits = [];
	let hit = -1;
	let timer = 0;

	if (!boxes.length)
		return;
	fillSelf(boxes);
	for (const box of boxes)
		(rows[box.depth] = rows[box.depth] || []).push(box);

	/* ---- layout ---- */

	/* Boxes too narrow for a label come without an element for it. */
	function addText(box) {
		box.text = document.createElementNS(SVG_NS, "text");
		box.text.setAttribute("x", (box.left + 3).toFixed(2));
		box.text.setAttribute("y", 3 + box.y + (settings.height - 1) / 2);
		box.rect.after(box.text);
	}

	function place(box, left, w) {
		if (box.left !== left || box.width !== w) {
			box.rect.setAttribute("x", left.toFixed(2));
			box.rect.setAttribute("width", Math.max(0, w).toFixed(2));
			if (box.text)
				box.text.setAttribute("x", (left + 3).toFixed(2));
			box.left = left;
			box.width = w;
		}
		const label = w > 12 ? measure.fit(box.name, w - 6) : "";

		if (label !== box.label) {
			if (!box.text)
				addText(box);
			box.text.textContent = label;
			box.label = label;
		}
	}

	function show(box, shown, dimmed) {
		if (box.shown !== shown) {
			box.g.style.display = shown ? "" : "none";
			box.shown = shown;
		}
		if (box.dimmed !== dimmed) {
			box.g.classList.toggle("parent", dimmed);
			box.dimmed = dimmed;
		}
	}

	function layoutBoxes() {
		const inner = width - 2 * settings.pad;
		const scale = inner / zoomed.w;
		const lineage = new Set();

		for (let box = zoomed.parent; box; box = box.parent)
			lineage.add(box);
		for (const box of boxes) {
			if (box.index >= zoomed.index && box.index < zoomed.end) {
				show(box, true, false);
				place(box, settings.pad + (box.x - zoomed.x) * scale, box.w * scale);
			} else if (lineage.has(box)) {
				show(box, true, true);
				place(box, settings.pad, inner);
			} else {
				show(box, false, false);
			}
		}
	}

	function layoutHeader() {
		const right = width - settings.pad;
		const isOpen = panel && panel.isOpen;
		const panelWidth = clamp(width * 0.3, 260, width - 2 * settings.pad);
		const side = Math.max(measure.text("Reset Zoom   Back"),
				      isOpen ? panelWidth : measure.text("Search")) + 24;
		const room = (width - 2 * side) / ((settings.fontsize + 5) / settings.fontsize) / 1.08;
		const fitted = measure.fit(titleText, room);

		title.setAttribute("x", width / 2);
		title.textContent = fitted;
		title.style.display = fitted ? "" : "none";
		if (subtitle)
			subtitle.setAttribute("x", width / 2);
		searchControl.setAttribute("x", right);
		searchControl.style.display = isOpen ? "none" : "";
		matched.setAttribute("x", right);
		if (panel)
			panel.place(right - panelWidth, panelWidth);
		unzoom.style.display = zoomed === boxes[0] ? "none" : "";
		back.style.display = history.length ? "" : "none";
	}

	/* Header and footer stay in sight while a picture higher than the page scrolls. */
	function pin() {
		const area = root.getBoundingClientRect();
		const scale = settings.fluid ? 1 : area.width / settings.width || 1;
		const room = Math.max(0, area.height - 150 * scale);
		const down = clamp(-area.top, 0, room) / scale;
		const up = clamp(area.bottom - window.innerHeight, 0, room) / scale;

		header.setAttribute("transform", "translate(0," + down + ")");
		footer.setAttribute("transform", "translate(0," + -up + ")");
		header.querySelector(".strip").setAttribute("display", down ? "inline" : "none");
		footer.querySelector(".strip").setAttribute("display", up ? "inline" : "none");
	}

	function layout() {
		width = settings.fluid ? root.getBoundingClientRect().width : settings.width;
		if (!(width > 0))
			width = settings.width;
		width = Math.max(width, 4 * settings.pad);
		layoutHeader();
		layoutBoxes();
		showDetails();
		pin();
	}

	/* ---- details ---- */

	function setText(node, text) {
		if (node.textContent !== text)
			node.textContent = text || " ";
	}

	function shareText(box) {
		const parts = [];
		const inside = box.index >= zoomed.index && box.index < zoomed.end;

		if (box.parent)
			parts.push(percent(box.w, box.parent.w) + " of parent");
		if (zoomed !== boxes[0] && inside)
			parts.push(percent(box.w, zoomed.w) + " of zoomed");
		parts.push("self " + withCommas(box.self * settings.factor) + " (" +
			   percent(box.self, boxes[0].w) + ")");
		return parts.join(" \u00b7 ");
	}

	function showDetails(message) {
		const box = hovered || selected;
		const busy = Boolean(box || message);
		const full = width - 2 * settings.pad;
		const smaller = (settings.fontsize - 2) / settings.fontsize;
		const narrow = width < NARROW;
		const taken = matched.textContent.trim() ? measure.text(matched.textContent) + 16 : 0;
		const room = full - (narrow ? 0 : taken);
		const sharesRoom = full / smaller - (narrow ? taken : 0);

		/* On a narrow page the search's result goes to the second line. */
		matched.setAttribute("y", (narrow ? shares : details).getAttribute("y"));
		matched.setAttribute("font-size", narrow ? settings.fontsize - 2 : settings.fontsize);

		if (legend)
			legend.style.display = busy ? "none" : "";
		if (warning)
			warning.style.display = box || (narrow && taken) ? "none" : "";
		if (message) {
			setText(details, measure.fit(message, room));
		} else if (box) {
			const prefix = settings.nametype ? settings.nametype + " " : "";
			const rest = room - measure.text(prefix + box.counts);

			setText(details, prefix + measure.fitMiddle(box.name, Math.max(rest, 40)) +
				box.counts);
		} else {
			setText(details, "");
		}
		setText(shares, box ? measure.fit(shareText(box), sharesRoom) : "");
	}

	function select(box) {
		if (selected)
			selected.g.classList.remove("selected");
		selected = box;
		if (box)
			box.g.classList.add("selected");
		showDetails();
	}

	/* ---- state in the address ---- */

	const keyPrefix = number ? "g" + number + "." : "";

	function saveState() {
		let params;

		try {
			params = new URLSearchParams(location.search);
			for (const key of ["x", "y", "s", "ic"])
				params.delete(keyPrefix + key);
			if (zoomed !== boxes[0]) {
				params.set(keyPrefix + "x", zoomed.x);
				params.set(keyPrefix + "y", zoomed.depth);
			}
			if (term)
				params.set(keyPrefix + "s", term);
			if (term && ignoreCase)
				params.set(keyPrefix + "ic", "1");
			const query = params.toString();

			window.history.replaceState(window.history.state, "",
						    location.pathname +
						    (query ? "?" + query : "") + location.hash);
		} catch (refused) {
			/* A page without an address of its own (about:srcdoc, data:) keeps none. */
		}
	}

	function restoreState() {
		const params = new URLSearchParams(location.search);
		const x = params.get(keyPrefix + "x");
		const y = params.get(keyPrefix + "y");
		const s = params.get(keyPrefix + "s");

		if (x !== null && y !== null) {
			const box = (rows[Number(y)] || []).find((b) => b.x === Number(x));

			if (box)
				zoomed = box;
		}
		ignoreCase = params.get(keyPrefix + "ic") === "1";
		if (s)
			term = s;
	}

	/* ---- zoom ---- */

	function zoomTo(box) {
		zoomed = box;
		layoutBoxes();
		layoutHeader();
		search();
		showDetails();
		saveState();
	}

	function zoom(box) {
		if (box === zoomed)
			return;
		history.push(zoomed);
		zoomTo(box);
	}

	function goBack() {
		if (history.length)
			zoomTo(history.pop());
	}

	function reset() {
		history.length = 0;
		zoomTo(boxes[0]);
	}

	/* ---- search ---- */

	function compile(text) {
		try {
			return { regexp: new RegExp(text, ignoreCase ? "i" : ""), plain: false };
		} catch (invalid) {
			return { regexp: new RegExp(escapeRegExp(text), ignoreCase ? "i" : ""), plain: true };
		}
	}

	/* Weight of the hits, each once: a hit above a hit adds nothing. */
	function matchedWeight() {
		let end = 0;
		let sum = 0;

		for (const box of hits) {
			if (box.index < end)
				continue;
			sum += box.w;
			end = box.end;
		}
		return sum;
	}

	function describeHits(plain) {
		let text = "";

		if (term) {
			text = "Matched: " + percent(matchedWeight(), zoomed.w);
			text += " \u00b7 " + (hit >= 0 ? (hit + 1) + " of " : "") + hits.length +
				(hits.length === 1 ? " box" : " boxes");
		}
		setText(matched, text);
		if (panel)
			panel.note(plain ? "not a regular expression; searched as plain text" : "");
	}

	/* Marks hits in all that is shown, counts them in what is zoomed to. */
	function search() {
		const wanted = term ? compile(term) : null;

		hits = [];
		hit = -1;
		for (const box of boxes) {
			const found = Boolean(wanted && box.depth && wanted.regexp.test(box.name));

			if (found !== Boolean(box.found)) {
				box.g.classList.toggle("match", found);
				box.found = found;
			}
			if (found && box.index >= zoomed.index && box.index < zoomed.end)
				hits.push(box);
		}
		describeHits(wanted && wanted.plain);
	}

	function setTerm(text) {
		term = text;
		search();
		showDetails(panel && panel.noteText);
		saveState();
	}

	function step(by) {
		if (!hits.length)
			return;
		hit = hit < 0 ? (by > 0 ? 0 : hits.length - 1) :
				(hit + by + hits.length) % hits.length;
		hovered = null;
		select(hits[hit]);
		describeHits(term && compile(term).plain);
		showDetails();
	}

	function toggleCase() {
		ignoreCase = !ignoreCase;
		if (panel)
			panel.showCase();
		setTerm(term);
	}

	function button(label, name, action) {
		const node = document.createElementNS(HTML_NS, "button");

		node.setAttribute("type", "button");
		node.setAttribute("title", name);
		node.setAttribute("aria-label", name);
		node.textContent = label;
		node.addEventListener("click", action);
		return node;
	}

	function makePanel() {
		const holder = document.createElementNS(SVG_NS, "foreignObject");
		const bar = document.createElementNS(HTML_NS, "div");
		const input = document.createElementNS(HTML_NS, "input");
		const caseButton = button("Aa", "ignore case (Ctrl-I)", toggleCase);
		const self = { isOpen: false, noteText: "" };

		holder.setAttribute("class", "search-panel");
		holder.setAttribute("y", Math.max(2, settings.fontsize * 2 - 18));
		holder.setAttribute("height", 30);
		bar.setAttribute("class", "panel");
		input.setAttribute("type", "text");
		input.setAttribute("placeholder", "regular expression");
		input.setAttribute("aria-label", "search names by regular expression");
		input.setAttribute("spellcheck", "false");
		input.setAttribute("autocomplete", "off");
		bar.append(input, caseButton, button("\u2039", "previous hit (N)", () => step(-1)),
			   button("\u203a", "next hit (n)", () => step(1)),
			   button("\u00d7", "close (Esc)", closeSearch));
		holder.append(bar);
		header.append(holder);

		input.addEventListener("input", function () {
			clearTimeout(timer);
			if (boxes.length > MANY_BOXES)
				timer = setTimeout(() => setTerm(input.value), 150);
			else
				setTerm(input.value);
		});
		input.addEventListener("keydown", function (event) {
			if (event.key !== "Enter" && event.key !== "Escape")
				return;
			event.preventDefault();
			event.stopPropagation();
			if (event.key === "Escape") {
				closeSearch();
				return;
			}
			clearTimeout(timer);
			if (input.value !== term)
				setTerm(input.value);
			step(event.shiftKey ? -1 : 1);
		});

		self.place = function (x, w) {
			holder.setAttribute("x", x);
			holder.setAttribute("width", w);
		};
		self.open = function (focus) {
			self.isOpen = true;
			holder.style.display = "";
			input.value = term;
			if (focus) {
				input.focus();
				input.select();
			}
		};
		self.close = function () {
			self.isOpen = false;
			holder.style.display = "none";
		};
		self.note = function (text) {
			self.noteText = text;
			input.setAttribute("aria-invalid", text ? "true" : "false");
		};
		self.showCase = function () {
			caseButton.setAttribute("aria-pressed", ignoreCase ? "true" : "false");
		};
		self.showCase();
		self.close();
		return self;
	}

	function openSearch(focus) {
		if (!panel)
			panel = makePanel();
		panel.open(focus);
		layoutHeader();
	}

	function closeSearch() {
		clearTimeout(timer);
		if (panel)
			panel.close();
		select(null);
		setTerm("");
		layoutHeader();
		frames.focus({ preventScroll: true });
	}

	/* ---- keys ---- */

	function copyName(box) {
		const done = () => showDetails("Copied: " + box.name);
		const area = document.createElementNS(HTML_NS, "textarea");
		const holder = document.createElementNS(SVG_NS, "foreignObject");

		function byHand() {
			holder.append(area);
			holder.setAttribute("width", 1);
			holder.setAttribute("height", 1);
			root.append(holder);
			area.value = box.name;
			area.select();
			document.execCommand("copy");
			holder.remove();
			frames.focus({ preventScroll: true });
			done();
		}
		if (navigator.clipboard && navigator.clipboard.writeText)
			navigator.clipboard.writeText(box.name).then(done, byHand);
		else
			byHand();
	}

	function neighbour(box, by) {
		const row = rows[box.depth].filter((other) => other.shown);

		return row[row.indexOf(box) + by] || box;
	}

	function widestChild(box) {
		let widest = null;

		for (let i = box.index + 1; i < box.end; i = boxes[i].end)
			if (boxes[i].shown && (!widest || boxes[i].w > widest.w))
				widest = boxes[i];
		return widest || box;
	}

	function move(key) {
		const box = selected || hovered || zoomed;
		const outwards = settings.inverted ? "ArrowDown" : "ArrowUp";

		hovered = null;
		if (!selected && box === zoomed)
			select(zoomed);
		else if (key === "ArrowLeft")
			select(neighbour(box, -1));
		else if (key === "ArrowRight")
			select(neighbour(box, 1));
		else if (key === outwards)
			select(widestChild(box));
		else
			select(box.parent || box);
	}

	function onPlainKey(event) {
		const box = hovered || selected;

		switch (event.key) {
		case "ArrowLeft":
		case "ArrowRight":
		case "ArrowUp":
		case "ArrowDown":
			/* On a page of its own the arrows scroll until a box has been selected. */
			if (!selected && document.activeElement !== frames)
				return false;
			move(event.key);
			return true;
		case "Enter":
			if (!selected)
				return false;
			zoom(selected);
			return true;
		case "Escape":
			if (term || (panel && panel.isOpen))
				closeSearch();
			else if (selected)
				select(null);
			else
				reset();
			return true;
		case "Backspace":
			goBack();
			return true;
		case "n":
			step(1);
			return true;
		case "N":
			step(-1);
			return true;
		case "c":
			if (box)
				copyName(box);
			return Boolean(box);
		default:
			return false;
		}
	}

	/* On a page with other things, keys are ours only while pointer or focus is here. */
	function isActive() {
		return standalone || root.matches(":hover") || root.contains(document.activeElement);
	}

	function isEditable(node) {
		return node && (/^(input|textarea|select|button)$/i.test(node.localName || "") ||
				node.isContentEditable);
	}

	function onKey(event) {
		const control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
		const key = event.key.toLowerCase();

		if (event.defaultPrevented || !isActive())
			return;
		if ((control && key === "f") || event.key === "F3") {
			openSearch(true);
		} else if (control && key === "i") {
			toggleCase();
		} else if (event.ctrlKey || event.metaKey || event.altKey || isEditable(event.target) ||
			   !onPlainKey(event)) {
			return;
		}
		event.preventDefault();
	}

	/* ---- pointer ---- */

	const boxOf = new Map(boxes.map((box) => [box.g, box]));

	function boxAt(event) {
		let node = event.target;

		while (node && node.parentNode !== frames)
			node = node.parentNode;
		return boxOf.get(node) || null;
	}

	frames.addEventListener("mouseover", function (event) {
		hovered = boxAt(event);
		showDetails();
	});
	frames.addEventListener("mouseout", function () {
		hovered = null;
		showDetails();
	});
	frames.addEventListener("click", function (event) {
		const box = boxAt(event);
		const link = event.target.closest("a");

		/* A box that is a link goes there; with Ctrl it zooms, as in flamegraph.pl. */
		if (!box || (link && !event.ctrlKey && !event.metaKey))
			return;
		event.preventDefault();
		zoom(box);
	});

	function asControl(node, action) {
		node.removeAttribute("display");
		node.setAttribute("role", "button");
		node.setAttribute("tabindex", "0");
		node.addEventListener("click", action);
		node.addEventListener("keydown", function (event) {
			if (event.key !== "Enter" && event.key !== " ")
				return;
			event.preventDefault();
			event.stopPropagation();
			action();
		});
	}

	const back = unzoom.cloneNode(false);

	back.removeAttribute("id");
	back.setAttribute("class", "back control");
	back.textContent = "Back";
	back.setAttribute("x", settings.pad + measure.text("Reset Zoom") + 14);
	unzoom.after(back);
	asControl(back, goBack);
	asControl(unzoom, reset);
	asControl(searchControl, () => openSearch(true));

	/* ---- start ---- */

	/* Names that flamegraph.pl's users know; the first picture on a page keeps them. */
	for (const node of root.querySelectorAll("[id]"))
		if (document.getElementById(node.id) !== node && !node.closest("defs") &&
		    !node.closest(".frames > g"))
			node.removeAttribute("id");
	if (settings.fluid) {
		root.removeAttribute("viewBox");
		root.setAttribute("width", "100%");
	}
	frames.setAttribute("tabindex", "0");
	frames.setAttribute("role", "application");
	frames.setAttribute("aria-label", titleText +
			    ": arrow keys select a box, Enter zooms, Backspace goes back");
	details.setAttribute("aria-live", "polite");
	restoreState();
	layout();
	if (term) {
		openSearch(false);
		search();
	}
	document.addEventListener("keydown", onKey);
	window.addEventListener("resize", layout);
	window.addEventListener("scroll", pin, { passive: true });
	if (settings.fluid && window.ResizeObserver)
		new ResizeObserver(function () {
			if (Math.abs(root.getBoundingClientRect().width - width) >= 1)
				layout();
		}).observe(root);
}

function startAll() {
	const all = Array.from(document.querySelectorAll("svg.flame-graph"));
	const script = document.currentScript;
	const mine = script && script.closest && script.closest("svg.flame-graph");

	for (const root of mine ? [mine] : all) {
		if (root.hasAttribute("data-started"))
			continue;
		root.setAttribute("data-started", "");
		start(root, all.indexOf(root));
	}
}

startAll();
})();
