package dev.bluebell.cli.trace;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bluebell.cli.WorkFailed;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Serves one trace to the Perfetto UI, from loopback and nothing else, until it was fetched. The UI
 * takes traces of plain HTTP from port 9001 of this machine alone.
 */
final class TraceLink implements AutoCloseable {
  /** The port that the UI's content security policy allows. */
  static final int PORT = 9001;

  private static final String UI = "https://ui.perfetto.dev";
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int NO_BODY = -1;

  private final HttpServer server;
  private final byte[] trace;
  private final String path;
  private final CountDownLatch fetched = new CountDownLatch(1);

  /**
   * Starts to serve.
   *
   * @param name of the trace, as the UI shows it: letters, digits, dots and dashes
   * @param port {@link #PORT}; 0 for any, where no browser is to fetch it
   */
  TraceLink(byte[] trace, String name, int port) throws IOException {
    this.trace = trace;
    path = "/" + name;
    try {
      server =
          HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 0);
    } catch (BindException e) {
      throw new WorkFailed(
          "port %d is in use, and the Perfetto UI takes traces from no other; end what uses it, or open the file at %s by hand"
              .formatted(port, UI));
    }
    server.createContext("/", this::serve);
    server.start();
  }

  /** Where the trace is. */
  String address() {
    return "http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path);
  }

  /** What opens it in the UI. */
  String link() {
    return "%s/#!/?url=%s".formatted(UI, address());
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      int status = status(exchange);
      Headers headers = exchange.getResponseHeaders();
      headers.set("Access-Control-Allow-Origin", UI);
      headers.set("Cache-Control", "no-store");
      if (status == NO_CONTENT) {
        headers.set("Access-Control-Allow-Methods", "GET");
        // Without it, browsers refuse what leads from a public page to this machine.
        headers.set("Access-Control-Allow-Private-Network", "true");
      }
      if (status != OK) {
        exchange.sendResponseHeaders(status, NO_BODY);
        return;
      }
      headers.set("Content-Type", "application/octet-stream");
      exchange.sendResponseHeaders(OK, trace.length);
      exchange.getResponseBody().write(trace);
      exchange.getResponseBody().close();
      fetched.countDown();
    }
  }

  private int status(HttpExchange exchange) {
    // A page of another name that leads here must not read the trace.
    String host = exchange.getRequestHeaders().getFirst("Host");
    if (host == null || !host.equals("127.0.0.1:" + server.getAddress().getPort())) {
      return FORBIDDEN;
    }
    if (!exchange.getRequestURI().getRawPath().equals(path)) {
      return NOT_FOUND;
    }
    return switch (exchange.getRequestMethod()) {
      case "GET" -> OK;
      case "OPTIONS" -> NO_CONTENT;
      default -> NOT_ALLOWED;
    };
  }

  /**
   * Waits until the trace was fetched.
   *
   * @return false when it was not in time
   */
  boolean await(Duration timeout) throws InterruptedException {
    return fetched.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
