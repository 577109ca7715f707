package dev.bluebell.examples.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.bluebell.test.Rdma;
import dev.bluebell.test.RdmaPair;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The OTLP messages that a collector receives. */
class OpenTelemetryMetricsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

  private final BlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();
  private HttpServer collector;

  @BeforeEach
  void startCollector() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/metrics",
        exchange -> {
          received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void stopCollector() {
    collector.stop(0);
  }

  @Test
  void theCollectorGetsTheCountersOfTheDevice(@Rdma RdmaPair pair) throws Exception {
    String url = "http://localhost:%d/v1/metrics".formatted(collector.getAddress().getPort());
    MeterRegistry registry =
        OpenTelemetryMetrics.export(pair.device().device(), url, Duration.ofDays(1));
    for (int i = 0; i < 3; i++) {
      pair.left().queuePair().write(pair.right().memory().remote()).signaled(i);
    }
    pair.left().queuePair().ringDoorbell();
    pair.left().await(3);
    registry.close();

    ExportMetricsServiceRequest request = received.poll(30, TimeUnit.SECONDS);
    assertThat(request).as("the request that the registry sent at its close").isNotNull();
    ResourceMetrics resource = request.getResourceMetrics(0);
    assertThat(resource.getResource().getAttributesList())
        .anyMatch(attribute -> isPair(attribute, "service.name", "store"));
    NumberDataPoint writes =
        resource.getScopeMetrics(0).getMetricsList().stream()
            .filter(metric -> metric.getName().equals("bluebell.port.rx.write.requests"))
            .map(Metric::getSum)
            .findFirst()
            .orElseThrow()
            .getDataPoints(0);
    assertThat(writes.getAsDouble()).isEqualTo(3);
    assertThat(writes.getAttributesList())
        .anyMatch(attribute -> isPair(attribute, "device", pair.device().device().name()));
  }

  private static boolean isPair(KeyValue attribute, String key, String value) {
    return attribute.getKey().equals(key) && attribute.getValue().getStringValue().equals(value);
  }

  @Test
  void thePageShowsTheCodeOfTheExample() throws IOException {
    String source =
        Files.readString(
            ROOT.resolve(
                "bluebell-examples/src/main/java/dev/bluebell/examples/metrics/OpenTelemetryMetrics.java"));
    String body =
        source
            .substring(source.indexOf("    Map<"), source.indexOf("    return"))
            .replaceAll("(?m)^ {4}", "");
    assertThat(Files.readString(ROOT.resolve("docs/seeing.md")))
        .contains("```java\n" + body + "```");
  }
}
