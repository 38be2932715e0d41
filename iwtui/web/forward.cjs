// The door into a sandbox without a network: listens on a unix socket, reads one line of each connection, and joins it to
// the port that the line names ("127.0.0.1 5173"). The line "?" asks which ports listen here: [["127.0.0.1", 5173], ..].
"use strict";
const fs = require("node:fs");
const net = require("node:net");

const LISTENS = "0A";

function listening() {
  const found = [];
  for (const [file, host] of [["/proc/net/tcp", "127.0.0.1"], ["/proc/net/tcp6", "::1"]]) {
    let lines = [];
    try {
      lines = fs.readFileSync(file, "utf8").split("\n").slice(1);
    } catch {
      continue; // no such family here
    }
    for (const line of lines) {
      const [, local, , state] = line.trim().split(/\s+/);
      if (state === LISTENS) found.push([host, parseInt(local.split(":")[1], 16)]);
    }
  }
  return found;
}

net
  .createServer({ allowHalfOpen: true }, (near) => {
    near.on("error", () => near.destroy());
    near.once("data", (bytes) => {
      const end = bytes.indexOf(10);
      const line = bytes.toString("latin1", 0, end < 0 ? bytes.length : end);
      if (line === "?") return near.end(JSON.stringify(listening()));
      near.pause();
      if (end >= 0 && end + 1 < bytes.length) near.unshift(bytes.subarray(end + 1));
      const [host, port] = line.split(" ");
      const far = net.connect({ host, port: Number(port), allowHalfOpen: true }, () => {
        near.pipe(far);
        far.pipe(near);
      });
      far.on("error", () => near.destroy());
      far.on("close", () => near.destroy());
      near.on("close", () => far.destroy());
    });
  })
  .listen(process.argv[2]);
