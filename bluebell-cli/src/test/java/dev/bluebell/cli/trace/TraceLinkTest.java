package dev.bluebell.cli.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.cli.command.WorkFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A trace is served to the Perfetto UI only, and nothing else is served. */
class TraceLinkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final byte[] TRACE = {1, 2, 3};

  private final HttpClient client = HttpClient.newHttpClient();
  private TraceLink link;

  @BeforeEach
  void serve() throws IOException {
    link = new TraceLink(TRACE, "echo.pftrace", 0);
  }

  @AfterEach
  void close() {
    link.close();
    client.close();
  }

  private HttpResponse<byte[]> ask(String method, String address)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(address))
            .timeout(PATIENCE)
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofByteArray());
  }

  private int port() {
    return URI.create(link.address()).getPort();
  }

  @Test
  void theUiGetsTheTraceOnceAndThatIsTheEnd() throws IOException, InterruptedException {
    assertThat(link.link()).isEqualTo("https://ui.perfetto.dev/#!/?url=" + link.address());
    assertThat(link.address())
        .matches("http://127\\.0\\.0\\.1:" + port() + "/[0-9a-f]{32}/echo\\.pftrace");
    assertThat(link.await(Duration.ZERO)).isFalse();
    HttpResponse<byte[]> answer = ask("GET", link.address());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(TRACE);
    assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
        .contains("https://ui.perfetto.dev");
    assertThat(link.await(PATIENCE)).isTrue();
  }

  @Test
  void aBrowserMayAskFirst() throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = ask("OPTIONS", link.address());
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("Access-Control-Allow-Private-Network"))
        .contains("true");
    assertThat(link.await(Duration.ZERO)).as("a preflight request is no fetch").isFalse();
  }

  @Test
  void onlyTheTraceIsServed() throws IOException, InterruptedException {
    assertThat(ask("GET", "http://127.0.0.1:%d/".formatted(port())).statusCode()).isEqualTo(404);
    assertThat(ask("GET", link.address() + "/../../etc/passwd").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "http://127.0.0.1:%d/echo.pftrace".formatted(port())).statusCode())
        .as("a path without the secret")
        .isEqualTo(404);
    assertThat(ask("POST", link.address()).statusCode()).isEqualTo(405);
    assertThat(link.await(Duration.ZERO)).isFalse();
  }

  @Test
  void halfRequestsDoNotKeepTheUiOut() throws IOException, InterruptedException {
    List<Socket> halves = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket half = new Socket(InetAddress.getLoopbackAddress(), port());
        halves.add(half);
        half.getOutputStream().write("GET ".getBytes(US_ASCII));
      }
      assertThat(ask("GET", link.address()).body()).isEqualTo(TRACE);
      assertThat(link.await(PATIENCE)).isTrue();
    } finally {
      for (Socket half : halves) {
        half.close();
      }
    }
  }

  @Test
  void aRequestWithoutAnEndIsRefused() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write("x".repeat(1 << 14).getBytes(US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes("HTTP/1.1 400".length());
      assertThat(new String(answer, US_ASCII)).isEqualTo("HTTP/1.1 400");
    }
  }

  @Test
  void aRequestWithAnotherHostNameIsRefused() throws IOException, InterruptedException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket
          .getOutputStream()
          .write("GET /echo.pftrace HTTP/1.1\r\nHost: evil.example\r\n\r\n".getBytes(US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes("HTTP/1.1 403".length());
      assertThat(new String(answer, US_ASCII)).isEqualTo("HTTP/1.1 403");
    }
    assertThat(link.await(Duration.ZERO)).isFalse();
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    int taken = port();
    assertThatExceptionOfType(WorkFailed.class)
        .isThrownBy(() -> new TraceLink(TRACE, "echo.pftrace", taken))
        .withMessageContaining("port %d is in use", taken);
  }
}
