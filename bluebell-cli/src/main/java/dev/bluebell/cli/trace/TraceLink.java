package dev.bluebell.cli.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.bluebell.cli.command.WorkFailed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Serves one trace to the Perfetto UI on loopback, under a secret path, until it is fetched. The UI
 * accepts plain HTTP only from port 9001 of the local machine.
 *
 * <p>Other processes of this machine can reach the port too. Requests are therefore limited in size
 * and time, and when there are too many, a new request closes the oldest.
 */
final class TraceLink implements AutoCloseable {
  /** The port that the UI's content security policy allows. */
  static final int PORT = 9001;

  private static final String UI = "https://ui.perfetto.dev";
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int SECRET_BYTES = 16;
  private static final int BACKLOG = 64;
  private static final int MAX_REQUESTS = 256;
  private static final int MAX_REQUEST_BYTES = 1 << 14;

  /** Timeout for reading a request. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String END = "\r\n\r\n";

  private final ServerSocket server;
  private final byte[] trace;
  private final String path;
  private final ArrayDeque<Socket> requests = new ArrayDeque<>();
  private final CountDownLatch fetched = new CountDownLatch(1);

  /**
   * Starts the server.
   *
   * @param name of the trace, as the UI shows it: letters, digits, dots and dashes
   * @param port {@link #PORT}; 0 for any port, if no browser is to fetch the trace
   */
  TraceLink(byte[] trace, String name, int port) throws IOException {
    this.trace = trace;
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    path = "/%s/%s".formatted(HexFormat.of().formatHex(secret), name);
    server = new ServerSocket();
    try {
      server.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), BACKLOG);
    } catch (BindException e) {
      server.close();
      throw new WorkFailed(
          "port %d is in use, and the Perfetto UI accepts traces from no other port; end the process that uses it, or write a file with --output and open it at %s"
              .formatted(port, UI));
    }
    Thread unused = Thread.ofPlatform().daemon().name("bluebell-trace").start(this::accept);
  }

  /** URL of the trace. */
  String address() {
    return "http://127.0.0.1:%d%s".formatted(server.getLocalPort(), path);
  }

  /** Link that opens the trace in the UI. */
  String link() {
    return "%s/#!/?url=%s".formatted(UI, address());
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket request = server.accept();
        begin(request);
        Thread unused = Thread.ofVirtual().start(() -> serve(request));
      } catch (IOException e) {
        // The client went away before it was accepted, or this link was closed.
      }
    }
  }

  private void begin(Socket request) throws IOException {
    Socket oldest;
    synchronized (requests) {
      oldest = requests.size() < MAX_REQUESTS ? null : requests.removeFirst();
      requests.addLast(request);
    }
    if (oldest != null) {
      oldest.close();
    }
  }

  private void serve(Socket request) {
    boolean served = false;
    try (request) {
      int status = status(head(request));
      if (status == OK) {
        // A request with the right path is never closed in favour of a new one.
        end(request);
      }
      OutputStream out = request.getOutputStream();
      out.write(answer(status).getBytes(ISO_8859_1));
      if (status == OK) {
        out.write(trace);
        served = true;
      }
      request.shutdownOutput();
    } catch (IOException e) {
      // The client is gone or was too slow, or a newer request closed this one.
    }
    end(request);
    if (served) {
      fetched.countDown();
    }
  }

  private void end(Socket request) {
    synchronized (requests) {
      requests.remove(request);
    }
  }

  /** The request line and the headers; empty when they are too long or have no end. */
  private static String head(Socket request) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    InputStream in = request.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 10];
    while (head.size() < MAX_REQUEST_BYTES) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return "";
      }
      request.setSoTimeout((int) left);
      int count = in.read(buffer);
      if (count < 0) {
        return "";
      }
      head.write(buffer, 0, count);
      String text = head.toString(ISO_8859_1);
      int end = text.indexOf(END);
      if (end >= 0) {
        return text.substring(0, end);
      }
    }
    return "";
  }

  private String answer(int status) {
    StringBuilder answer = new StringBuilder("HTTP/1.1 %d \r\n".formatted(status));
    answer.append("Access-Control-Allow-Origin: %s\r\n".formatted(UI));
    answer.append("Cache-Control: no-store\r\n");
    answer.append("Connection: close\r\n");
    if (status == NO_CONTENT) {
      answer.append("Access-Control-Allow-Methods: GET\r\n");
      // Without this header, browsers block requests from a public page to this machine.
      answer.append("Access-Control-Allow-Private-Network: true\r\n");
    } else {
      answer.append("Content-Type: application/octet-stream\r\n");
      answer.append("Content-Length: %d\r\n".formatted(status == OK ? trace.length : 0));
    }
    return answer.append("\r\n").toString();
  }

  private int status(String head) {
    String[] lines = head.split("\r\n", -1);
    String[] words = lines[0].split(" ", -1);
    if (words.length != 3) {
      return BAD_REQUEST;
    }
    // Another host name that resolves to this address must not give access to the trace.
    String host = "";
    for (String line : lines) {
      if (line.regionMatches(true, 0, "Host:", 0, "Host:".length())) {
        host = line.substring("Host:".length()).strip();
      }
    }
    if (!host.equals("127.0.0.1:" + server.getLocalPort())) {
      return FORBIDDEN;
    }
    if (!words[1].equals(path)) {
      return NOT_FOUND;
    }
    return switch (words[0]) {
      case "GET" -> OK;
      case "OPTIONS" -> NO_CONTENT;
      default -> NOT_ALLOWED;
    };
  }

  /**
   * Waits until the trace has been fetched.
   *
   * @return false on timeout
   */
  boolean await(Duration timeout) throws InterruptedException {
    return fetched.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    try {
      server.close();
      synchronized (requests) {
        for (Socket request : requests) {
          request.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
