"use strict";
// Draws the timeline of each device. The data comes from TimelineData; uPlot provides axes, cursor and zoom.

// Kinds of events, as HcaHappening numbers them.
const FETCHED = 1, COMPLETED = 3, DOORBELL = 12, DELIVERED = 16;

const LANE = 16; // height in CSS pixels
const MARK = 4;
const MOST_QUEUE_PAIRS = 24;
const MOST_ROWS = 8;
const GUTTER = 110;
const AXIS = 40;
const COLOURS = ["#1a56b0", "#00796b", "#8e44ad", "#b26a00", "#37474f", "#ad1457"];
const INK = "#1f2430", PALE = "#9aa1ad", ERROR = "#c62828", FLUSHED = "#e57373";

const LINEAR = uPlot.paths.linear(), STEPPED = uPlot.paths.stepped({align: 1});

const tooltip = document.getElementById("tooltip");
const chosen = document.getElementById("chosen");
const charts = [];

/** A time since the start of the record, with a unit that suits the visible range. */
function formatTime(ns, range) {
  const [unit, divisor] = range < 2e6 ? ["µs", 1e3] : range < 2e9 ? ["ms", 1e6] : ["s", 1e9];
  const digits = Math.max(0, Math.min(3, Math.ceil(-Math.log10(range / divisor / 50))));
  return (ns / divisor).toFixed(digits) + " " + unit;
}

/** A time to the nanosecond. */
function exactTime(ns) {
  return (ns / 1e3).toFixed(3) + " µs";
}

/** The queue pairs that fit: those with failures first, then the busiest. */
function shownQueuePairs(device) {
  const weight = new Float64Array(device.queuePairs.length);
  device.events.qp.forEach((qp, i) => {
    if (qp >= 0) weight[qp] += device.events.error[i] ? 1e9 : 1;
  });
  return device.queuePairs.map((number, qp) => qp)
    .sort((a, b) => weight[b] - weight[a])
    .slice(0, MOST_QUEUE_PAIRS)
    .sort((a, b) => a - b);
}

/** Assigns events and requests to lanes: for each queue pair, one lane for events and rows for requests. */
function layOut(device) {
  const {events, requests} = device;
  const lanes = events.qp.includes(-1) ? [{label: "device", qp: -1}] : [];
  const eventLane = new Int32Array(events.ns.length).fill(-1);
  const requestLane = new Int32Array(requests.qp.length).fill(-1);
  const byQueuePair = device.queuePairs.map(() => []);
  requests.qp.forEach((qp, i) => qp >= 0 && byQueuePair[qp].push(i));
  const marksOf = new Map(lanes.map(lane => [lane.qp, 0]));
  for (const qp of shownQueuePairs(device)) {
    marksOf.set(qp, lanes.length);
    lanes.push({label: "QP 0x" + device.queuePairs[qp].toString(16), qp});
    const ends = [];
    for (const i of byQueuePair[qp]) {
      const from = events.ns[requests.fetch[i]];
      let row = ends.findIndex(end => end <= from);
      if (row < 0) row = ends.length < MOST_ROWS ? ends.length : ends.indexOf(Math.min(...ends));
      ends[row] = requests.end[i];
      requestLane[i] = marksOf.get(qp) + 1 + row;
    }
    ends.forEach(() => lanes.push({label: "", qp}));
  }
  events.qp.forEach((qp, i) => {
    if (events.kind[i] !== FETCHED) eventLane[i] = marksOf.get(qp) ?? -1;
  });
  return {lanes, eventLane, requestLane};
}

/** The number of outstanding requests, at each time that it changed. */
function outstanding({events, requests}, end) {
  const changes = [[0, 0], [end, 0]];
  requests.fetch.forEach((fetch, i) => changes.push([events.ns[fetch], 1], [requests.end[i], -1]));
  changes.sort((a, b) => a[0] - b[0]);
  const times = [], counts = [];
  let count = 0;
  for (const [time, change] of changes) {
    count += change;
    if (times[times.length - 1] === time) {
      counts[counts.length - 1] = count;
    } else {
      times.push(time);
      counts.push(count);
    }
  }
  return [times, counts];
}

class Chart {
  constructor(element, device) {
    this.device = device;
    this.end = Math.max(1, device.events.ns.at(-1) ?? 0);
    Object.assign(this, layOut(device));
    const title = document.createElement("h3");
    const hidden = Math.max(0, device.queuePairs.length - MOST_QUEUE_PAIRS);
    title.textContent = device.name + (hidden > 0 ? ` (${hidden} of ${device.queuePairs.length} queue pairs are left out)` : "");
    element.append(title);
    this.selected = {event: -1, request: -1};
    this.plots = [];
    this.plots.push(this.plot(element, outstanding(device, this.end), this.countOptions()));
    this.lanesPlot = this.plot(element, [[0, this.end], [0, 0]], this.laneOptions());
    this.plots.push(this.lanesPlot);
    this.listen();
  }

  plot(element, data, own) {
    const options = {
      width: element.clientWidth,
      padding: [6, 30, own.options.bottom ?? 0, 0],
      legend: {show: false},
      cursor: {y: false, points: {show: false}, drag: {x: true, y: false, setScale: true}},
      hooks: {setScale: [(u, key) => key === "x" && this.zoomOthers(u)], ...own.hooks},
      scales: {x: {time: false, range: (u, min, max) => [min ?? 0, max ?? this.end]}, ...own.scales},
      ...own.options,
    };
    return new uPlot(options, data, element);
  }

  countOptions() {
    return {
      scales: {y: {range: (u, min, max) => [0, Math.max(1, max)]}},
      options: {
        height: 90,
        bottom: 6,
        series: [{}, {
          stroke: COLOURS[0], fill: "#1a56b022", points: {show: false},
          // Steps narrower than a pixel are slow to draw and look like lines.
          paths: (u, series, from, to) => (to - from > 4000 ? LINEAR : STEPPED)(u, series, from, to),
        }],
        axes: [
          {show: false},
          {size: GUTTER - 20, label: "outstanding", labelSize: 20, labelFont: "12px sans-serif", incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000]},
        ],
      },
    };
  }

  laneOptions() {
    const count = this.lanes.length;
    const named = this.lanes.flatMap((lane, i) => lane.label ? [i] : []);
    return {
      scales: {y: {dir: -1, range: [0, count]}},
      hooks: {draw: [u => this.draw(u)]},
      options: {
        height: count * LANE + 6 + AXIS,
        series: [{}, {paths: () => null, points: {show: false}}],
        axes: [
          {values: (u, splits) => splits.map(ns => formatTime(ns, u.scales.x.max - u.scales.x.min)), space: 90, size: AXIS},
          {
            size: GUTTER, ticks: {show: false}, gap: 8,
            splits: () => named.map(i => i + 0.5),
            values: () => named.map(i => this.lanes[i].label),
            grid: {show: false}, space: 0,
          },
        ],
      },
    };
  }

  /** Makes all plots of a device show the same time range. */
  zoomOthers(source) {
    const {min, max} = source.scales.x;
    for (const plot of this.plots) {
      if (plot !== source && (plot.scales.x.min !== min || plot.scales.x.max !== max)) {
        plot.setScale("x", {min, max});
      }
    }
  }

  show(min, max) {
    const width = Math.min(this.end, Math.max(10, max - min));
    const from = Math.max(0, Math.min(this.end - width, min));
    this.lanesPlot.setScale("x", {min: from, max: from + width});
  }

  // ---- drawing

  draw(u) {
    const {ctx, bbox} = u;
    const ratio = uPlot.pxRatio;
    const {min, max} = u.scales.x;
    const scale = bbox.width / (max - min);
    const view = {
      ctx, ratio, min, max,
      x: ns => bbox.left + (ns - min) * scale,
      y: lane => bbox.top + lane * LANE * ratio,
    };
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.lanes.forEach((lane, i) => {
      if (lane.label) {
        ctx.fillStyle = "#d8dce4";
        ctx.fillRect(bbox.left, view.y(i), bbox.width, 1);
      }
    });
    // Failures are drawn last, so that nothing covers them.
    for (const failed of [0, 2, 1]) {
      this.drawRequests(view, failed);
      this.drawEvents(view, failed);
    }
    this.drawSelected(view);
    ctx.restore();
  }

  drawRequests({ctx, ratio, min, max, x, y}, failed) {
    const {events, requests, lines} = this.device;
    // Requests within pixels that are already drawn are skipped.
    const drawn = new Float64Array(this.lanes.length).fill(-Infinity);
    ctx.font = 10 * ratio + "px sans-serif";
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (let i = 0; i < requests.qp.length; i++) {
      const lane = this.requestLane[i];
      const start = events.ns[requests.fetch[i]];
      if (lane < 0 || requests.failed[i] !== failed || requests.end[i] < min || start > max) continue;
      const from = Math.max(x(start), 0);
      const to = Math.max(x(requests.end[i]), from + 1);
      if (to <= drawn[lane] + 0.5) continue;
      drawn[lane] = to;
      const width = Math.max(1, Math.min(to, ctx.canvas.width) - from - (to - from > 3 ? 1 : 0));
      ctx.fillStyle = [COLOURS[requests.qp[i] % COLOURS.length], ERROR, FLUSHED][failed];
      ctx.fillRect(from, y(lane) + ratio, width, (LANE - 3) * ratio);
      if (width > 90 * ratio) {
        ctx.fillStyle = "#fff";
        ctx.fillText(lines[requests.name[i]], Math.max(from, 0) + 4 * ratio, y(lane) + LANE / 2 * ratio, width - 6 * ratio);
      }
    }
  }

  drawEvents({ctx, ratio, min, max, x, y}, failed) {
    const {events} = this.device;
    const drawn = new Float64Array(this.lanes.length).fill(-Infinity);
    for (let i = 0; i < events.ns.length; i++) {
      const lane = this.eventLane[i];
      if (lane < 0 || events.error[i] !== failed || events.ns[i] < min || events.ns[i] > max) continue;
      const at = x(events.ns[i]);
      if (at < drawn[lane] + 1) continue;
      const isDense = at < drawn[lane] + MARK * ratio;
      drawn[lane] = at;
      ctx.fillStyle = [INK, ERROR, FLUSHED][failed];
      this.drawMark(ctx, events.kind[i], at, y(lane) + LANE / 2 * ratio, MARK * ratio, isDense);
    }
  }

  drawMark(ctx, kind, x, y, size, isDense) {
    if (isDense) {
      ctx.fillRect(x, y - size, 1, 2 * size);
      return;
    }
    ctx.beginPath();
    if (kind === DOORBELL) {
      ctx.moveTo(x - size, y - size + 1);
      ctx.lineTo(x + size, y - size + 1);
      ctx.lineTo(x, y + size);
    } else if (kind === DELIVERED) {
      ctx.arc(x, y, size - 1, 0, 2 * Math.PI);
    } else if (kind === COMPLETED) {
      ctx.moveTo(x, y - size - 1);
      ctx.lineTo(x + size, y);
      ctx.lineTo(x, y + size + 1);
      ctx.lineTo(x - size, y);
    } else {
      if (ctx.fillStyle === INK) ctx.fillStyle = PALE;
      ctx.rect(x - 1, y - size, 3, 2 * size);
    }
    ctx.fill();
  }

  /** Draws a line through all events of the selected request, or a ring around an event. */
  drawSelected({ctx, ratio, x, y}) {
    const {events, requests} = this.device;
    const {event, request} = this.selected;
    const points = request >= 0 ? this.moments(request) : event >= 0 ? [event] : [];
    ctx.strokeStyle = "#ff9800";
    ctx.lineWidth = 2 * ratio;
    ctx.beginPath();
    for (const i of points) {
      const lane = events.kind[i] === FETCHED ? this.requestLane[requests.fetch.indexOf(i)] : this.eventLane[i];
      if (lane >= 0) ctx.lineTo(x(events.ns[i]), y(lane) + LANE / 2 * ratio);
    }
    ctx.stroke();
    for (const i of points) {
      if (this.eventLane[i] < 0) continue;
      ctx.beginPath();
      ctx.arc(x(events.ns[i]), y(this.eventLane[i]) + LANE / 2 * ratio, (MARK + 2) * ratio, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }

  // ---- selection

  /** The events of a request, in the order in which they happen. */
  moments(request) {
    const {requests} = this.device;
    return ["doorbell", "fetch", "delivery", "receipt", "completion"]
      .map(name => requests[name][request])
      .filter(event => event >= 0);
  }

  /** The event or request nearest to a point of the canvas. */
  find(px, py) {
    const {events, requests} = this.device;
    const u = this.lanesPlot;
    const lane = Math.floor(py / LANE);
    const time = u.posToVal(px, "x");
    const reach = 6 * (u.scales.x.max - u.scales.x.min) / u.over.clientWidth;
    const found = {event: -1, request: -1};
    let nearest = reach;
    for (let i = 0; i < events.ns.length; i++) {
      const distance = Math.abs(events.ns[i] - time);
      if (this.eventLane[i] === lane && distance < nearest) {
        nearest = distance;
        found.event = i;
      }
    }
    for (let i = 0; i < requests.qp.length && found.event < 0; i++) {
      const start = events.ns[requests.fetch[i]];
      if (this.requestLane[i] === lane && start - reach < time && time < requests.end[i] + reach) {
        found.request = i;
        if (start <= time && time <= requests.end[i]) break;
      }
    }
    return found;
  }

  summary({event, request}) {
    const {events, requests, lines} = this.device;
    if (event >= 0) return exactTime(events.ns[event]) + "\n" + lines[events.what[event]];
    const from = events.ns[requests.fetch[request]];
    return lines[requests.name[request]] + "\n" + exactTime(from) + ", for "
      + exactTime(requests.end[request] - from) + ["", "\nfailed", "\nflushed"][requests.failed[request]];
  }

  describe(event) {
    const {events, lines, why} = this.device;
    const text = [exactTime(events.ns[event]) + "  " + lines[events.what[event]]];
    why.filter(([of]) => of === event).forEach(([, line]) => text.push(lines[line]));
    events.text[event].forEach(line => text.push("    " + lines[line]));
    return text.join("\n");
  }

  select(found) {
    const {requests} = this.device;
    let {event, request} = found;
    if (request < 0 && event >= 0) {
      // An event of one request selects the whole request; a doorbell may announce many.
      const owners = ["fetch", "delivery", "receipt", "completion"].map(name => requests[name].indexOf(event));
      request = Math.max(...owners);
    }
    this.selected = {event, request};
    const shown = request >= 0 ? this.moments(request) : event >= 0 ? [event] : [];
    chosen.textContent = shown.length > 0 ? shown.map(i => this.describe(i)).join("\n") : "Nothing is selected.";
    this.lanesPlot.redraw(false);
  }

  /** Zooms to an event and its surroundings, and selects it. */
  showEvent(event) {
    const at = this.device.events.ns[event];
    const around = Math.max(5000, this.end / 100);
    this.show(at - around, at + around);
    this.select({event, request: -1});
  }

  listen() {
    const over = this.lanesPlot.over;
    let pressed = 0;
    over.addEventListener("mousedown", e => pressed = e.clientX);
    over.addEventListener("click", e => {
      if (Math.abs(e.clientX - pressed) < 4) this.select(this.find(e.offsetX, e.offsetY));
    });
    over.addEventListener("mousemove", e => {
      const found = e.buttons ? {event: -1, request: -1} : this.find(e.offsetX, e.offsetY);
      tooltip.hidden = found.event < 0 && found.request < 0;
      if (tooltip.hidden) return;
      tooltip.textContent = this.summary(found);
      tooltip.style.left = Math.min(e.pageX + 14, document.body.clientWidth - 200) + "px";
      tooltip.style.top = e.pageY + 14 + "px";
    });
    over.addEventListener("mouseleave", () => tooltip.hidden = true);
    over.addEventListener("wheel", e => {
      e.preventDefault();
      const {min, max} = this.lanesPlot.scales.x;
      const range = max - min;
      if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        const step = Math.sign(e.deltaX || e.deltaY) * range / 10;
        this.show(min + step, max + step);
      } else {
        const factor = e.deltaY < 0 ? 0.75 : 1 / 0.75;
        const at = this.lanesPlot.posToVal(e.offsetX, "x");
        this.show(at - (at - min) * factor, at + (max - at) * factor);
      }
    }, {passive: false});
  }
}

JSON.parse(document.getElementById("data").textContent).forEach((device, i) => {
  charts.push(new Chart(document.querySelector(`.chart[data-device="${i}"]`), device));
});
document.querySelectorAll("button[data-event]").forEach(button => button.addEventListener("click", () => {
  charts[button.dataset.device].showEvent(Number(button.dataset.event));
  document.getElementById("timeline").scrollIntoView();
}));
document.getElementById("whole").addEventListener("click", () => charts.forEach(chart => chart.show(0, chart.end)));
window.addEventListener("resize", () => charts.forEach(chart =>
  chart.plots.forEach(plot => plot.setSize({width: plot.root.parentNode.clientWidth, height: plot.height}))));
