package dev.bluebell.devx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.EventAbi.AsyncEventDesc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events that a kernel refuses to report. An ordinary file stands in for the device file, so every
 * subscription is refused.
 */
class DeviceEventsTest {
  private static final int NO_FILE = -1;
  private static final int PORT_ACTIVE = 9;
  private static final int PORT_ERROR = 10;
  private static final int DEVICE_FATAL = 8;
  private static final int QP_FATAL = 1;

  @TempDir private Path folder;
  private UverbsFile file;
  private DeviceEvents events;
  private HcaEventChannel channel;

  @BeforeEach
  void open() throws IOException {
    Path node = Files.createFile(folder.resolve("uverbs0"));
    file = UverbsFile.open(new UverbsDevice("mlx5_0", node, folder, HcaIdentity.SOFTWARE));
    events = new DeviceEvents(file, NO_FILE, NO_FILE, NO_FILE);
    channel = events.openChannel();
  }

  @AfterEach
  void close() {
    channel.close();
    file.close();
  }

  private boolean take(int type, int element) {
    return events.takeAsynchronous(
        View.of(AsyncEventDesc.STRUCTURE)
            .set(AsyncEventDesc.EVENT_TYPE, type)
            .set(AsyncEventDesc.ELEMENT, element));
  }

  @Test
  void aDeviceWorksWithoutEventsThatOnlyInform() {
    channel.subscribe(null, HcaEvent.WQ_ACCESS_ERROR, 5);
    assertThat(channel.poll()).isNull();
  }

  @Test
  void completionsAndErrorsOfTheirQueuesAreRequired() {
    for (int type : new int[] {HcaEvent.COMPLETION, HcaEvent.CQ_ERROR}) {
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> channel.subscribe(null, type, 5))
          .withMessageContaining("subscribing to %s events".formatted(HcaEvent.typeName(type)));
    }
  }

  @Test
  void changesOfAPortComeAsAsynchronousEventsInstead() {
    channel.subscribe(null, HcaEvent.PORT_CHANGE, 5);
    assertThat(take(PORT_ERROR, 2)).isTrue();
    assertThat(take(PORT_ACTIVE, 2)).isTrue();
    assertThat(channel.poll()).isEqualTo(new HcaEvent(HcaEvent.PORT_CHANGE, 2, 1, 5));
    assertThat(channel.poll()).isEqualTo(new HcaEvent(HcaEvent.PORT_CHANGE, 2, 4, 5));
  }

  @Test
  void otherAsynchronousEventsAreIgnoredExceptTheEndOfTheDevice() {
    channel.subscribe(null, HcaEvent.PORT_CHANGE, 5);
    assertThat(take(QP_FATAL, 2)).isTrue();
    assertThat(take(DEVICE_FATAL, 0)).isFalse();
    assertThat(channel.poll()).isNull();
  }
}
