package dev.bluebell.uverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.uverbs.Headers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the numbers of events with librdmacm. */
class CmEventTypeTest {
  @TempDir private Path scratch;

  @Test
  void eventsHaveTheNumbersOfLibrdmacm() throws IOException, InterruptedException {
    Map<String, Long> expected = new HashMap<>();
    for (CmEventType type : CmEventType.values()) {
      expected.put("RDMA_CM_EVENT_" + type, (long) type.number());
    }
    String header = Headers.cmLibrary();
    expected.keySet().removeIf(name -> !header.contains(name));
    assertThat(expected).hasSizeGreaterThan(10);
    assertThat(Headers.evaluateByCmLibrary(scratch, expected.keySet())).isEqualTo(expected);
  }
}
