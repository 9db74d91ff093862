-- The requests of a load for wrk. Arguments, each always given: whether each request is of a visitor of its own (0 or 1), the
-- first turn, the first number and the count of numbers that replace the # of the only path (0: none does), the digits of a
-- number, the method, the header lines, the paths.
local bit = require("bit")
local floor, format = math.floor, string.format
local withVisitor, first, count, digits, method, headers
local heads, paths = {}, {}

-- Globals, which done() can ask a thread for.
turn, sent = 0, 0
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  withVisitor, turn = args[1] == "1", tonumber(args[2])
  first, count, digits = tonumber(args[3]), tonumber(args[4]), "%0" .. args[5] .. "d"
  method = args[6]
  headers = " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port .. "\r\n" .. args[7]
  for nth = 8, #args do
    table.insert(paths, args[nth])
    table.insert(heads, method .. " " .. args[nth] .. headers)
  end
  io.stderr:write("begins\n")
end

-- As numberOf() in numbers.ts.
local function numbered()
  local number = format(digits, first + ((turn % count) * 7919) % count)
  return method .. " " .. paths[1]:gsub("#", number) .. headers
end

function request()
  local head = count > 0 and numbered() or heads[turn % #heads + 1]
  local visitor = turn % 16777216
  turn, sent = turn + 1, sent + 1
  if not withVisitor then return head .. "\r\n" end
  -- Not in the network of the other clients' visitors (visitors.ts).
  return head .. "X-Forwarded-For: 11." .. floor(visitor / 65536) .. "." .. bit.band(floor(visitor / 256), 255) .. "."
    .. visitor % 256 .. "\r\n\r\n"
end

function done(summary, latency)
  local all = 0
  for _, thread in ipairs(threads) do all = all + thread:get("sent") end
  local errors = summary.errors
  print(format(
    'result {"answers":%d,"sent":%d,"statusErrors":%d,"socketErrors":%d,"micros":%d,"cpuSeconds":%.6f,' ..
    '"p50":%d,"p90":%d,"p99":%d,"p999":%d}',
    summary.requests, all, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration, os.clock(),
    latency:percentile(50), latency:percentile(90), latency:percentile(99), latency:percentile(99.9)))
end
