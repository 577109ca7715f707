package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.counter.PortCounter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flight recorder receives an event of each counter that rises. */
class RecordedCountersTest {
  private static final String EVENT = "dev.bluebell.Retransmission";

  @TempDir private Path folder;

  private final FakeHca hca = new FakeHca();

  /** The events of a recording, and their figures. */
  private List<String> stop(Recording recording) throws IOException {
    recording.stop();
    Path file = folder.resolve("recording.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(EVENT))
        .map(
            event ->
                "%s %d of %d"
                    .formatted(
                        event.getString("counter"), event.getLong("count"), event.getLong("total")))
        .toList();
  }

  private static Recording record() {
    Recording recording = new Recording();
    recording.enable(EVENT).with("period", "everyChunk");
    recording.start();
    return recording;
  }

  @Test
  void anEventCountsOnlySinceTheDeviceWasOpened() throws IOException {
    hca.counters.put(PortCounter.LOCAL_ACK_TIMEOUT_ERR, 38L);
    hca.counters.put(PortCounter.DUPLICATE_REQUEST, 18L);
    try (Recording recording = record();
        Device unused = Device.over(hca)) {
      hca.counters.put(PortCounter.LOCAL_ACK_TIMEOUT_ERR, 40L);
      assertThat(stop(recording)).containsExactly("local_ack_timeout_err 2 of 40");
    }
  }

  @Test
  void aCounterThatWasResetCountsFromZero() throws IOException {
    hca.counters.put(PortCounter.OUT_OF_SEQUENCE, 1000L);
    try (Recording recording = record();
        Device unused = Device.over(hca)) {
      hca.counters.put(PortCounter.OUT_OF_SEQUENCE, 3L);
      assertThat(stop(recording)).containsExactly("out_of_sequence 3 of 3");
    }
  }
}
