package dev.bluebell.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A headless Chromium, controlled through its DevTools protocol. For one thread. */
final class Browser implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int PATIENCE_SECONDS = 120;
  private static final String ENDPOINT = "DevTools listening on ws://";

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> replies = new LinkedBlockingQueue<>();
  private final List<String> complaints = new ArrayList<>();
  private int calls;

  private Browser(Process process, URI page, HttpClient client) {
    this.process = process;
    socket = client.newWebSocketBuilder().buildAsync(page, new Listener()).join();
  }

  /** Joins the parts of a message. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          replies.add(MAPPER.readTree(text.toString()));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** The browser's program; empty if this machine has none. */
  static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(":"))
        .flatMap(
            folder ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts a browser with a profile of its own. */
  static Browser start(Path program, Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .start();
    try {
      String address = endpoint(process.inputReader());
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest list = HttpRequest.newBuilder(URI.create("http://" + address + "/json")).build();
      for (JsonNode target : MAPPER.readTree(client.send(list, BodyHandlers.ofString()).body())) {
        if (target.path("type").asText().equals("page")) {
          URI page = URI.create(target.get("webSocketDebuggerUrl").asText());
          Browser browser = new Browser(process, page, client);
          browser.call("Page.enable", Map.of());
          browser.call("Runtime.enable", Map.of());
          browser.call("Network.enable", Map.of());
          return browser;
        }
      }
      throw new IllegalStateException("the browser has no page");
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Host and port, which the browser prints when it is ready. */
  private static String endpoint(BufferedReader output) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(ENDPOINT)) {
        return URI.create(line.substring(line.indexOf("ws:"))).getAuthority();
      }
    }
    throw new IllegalStateException("the browser ended");
  }

  /** Calls a method of the protocol. */
  JsonNode call(String method, Map<String, ?> parameters) throws InterruptedException {
    ObjectNode message = MAPPER.createObjectNode().put("id", ++calls).put("method", method);
    message.set("params", MAPPER.valueToTree(parameters));
    socket.sendText(message.toString(), true).join();
    while (true) {
      JsonNode reply = next();
      if (reply.path("id").asInt() == calls) {
        if (reply.has("error")) {
          throw new IllegalStateException(method + ": " + reply.get("error"));
        }
        return reply.get("result");
      }
    }
  }

  private JsonNode next() throws InterruptedException {
    JsonNode message = replies.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new IllegalStateException("the browser does not answer");
    }
    switch (message.path("method").asText()) {
      case "Runtime.exceptionThrown" -> complaints.add(message.get("params").toString());
      case "Network.requestWillBeSent" -> {
        String url = message.at("/params/request/url").asText();
        if (!url.startsWith("file:")) {
          complaints.add("it loads " + url);
        }
      }
      default -> {
        // Ignored.
      }
    }
    return message;
  }

  /** Opens a file in a window of the given size, and waits until it is loaded. */
  void open(Path file, int width, int height) throws InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    call("Page.navigate", Map.of("url", file.toUri().toString()));
    while (!next().path("method").asText().equals("Page.loadEventFired")) {
      // Waits for loading to end.
    }
  }

  /** The value of an expression; for a promise, its result. */
  JsonNode evaluate(String expression) throws InterruptedException {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(result.get("exceptionDetails").toString());
    }
    return result.at("/result/value");
  }

  /** Sends a mouse event at a position in the window. */
  void mouse(String type, double x, double y, int wheel) throws InterruptedException {
    call(
        "Input.dispatchMouseEvent",
        Map.of(
            "type", type,
            "x", x,
            "y", y,
            "button", type.equals("mouseWheel") || type.equals("mouseMoved") ? "none" : "left",
            "clickCount", type.equals("mouseWheel") || type.equals("mouseMoved") ? 0 : 1,
            "deltaX", 0,
            "deltaY", wheel));
  }

  void click(double x, double y) throws InterruptedException {
    mouse("mouseMoved", x, y, 0);
    mouse("mousePressed", x, y, 0);
    mouse("mouseReleased", x, y, 0);
  }

  /** A screenshot of the window as PNG. */
  byte[] screenshot() throws InterruptedException {
    return Base64.getDecoder()
        .decode(call("Page.captureScreenshot", Map.of("format", "png")).get("data").asText());
  }

  /** Exceptions in scripts, and loads from anywhere but files. */
  List<String> complaints() {
    return complaints;
  }

  @Override
  public void close() throws InterruptedException {
    socket.abort();
    process.destroy();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
