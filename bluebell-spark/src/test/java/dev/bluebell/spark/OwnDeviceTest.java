package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnDeviceTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final CountDownLatch stuck = new CountDownLatch(1);
  private final Device nic = Device.open("soft");
  private final AtomicInteger opened = new AtomicInteger();

  @AfterEach
  void close() {
    stuck.countDown();
    nic.close();
  }

  private ShuffleNode open() throws IOException {
    opened.incrementAndGet();
    return over(nic, 0);
  }

  private static ShuffleNode over(Device device, int port) throws IOException {
    return ShuffleNode.over(
        device,
        new Settings("soft", "127.0.0.1", port, 2, 16, 64 << 20, 16, LONG, LONG),
        "127.0.0.1",
        new ShuffleCounters(),
        block -> {
          throw new UncheckedIOException(new IOException("it has no blocks"));
        });
  }

  private ShuffleNode openWhenLet() throws IOException {
    try {
      stuck.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return open();
  }

  @Test
  void theDeviceIsOpenedOnceAndWhenItIsNeeded() {
    OwnDevice device = new OwnDevice("soft", this::open, SHORT, LONG);
    assertThat(device.opened()).isNull();
    ShuffleNode node = device.node();
    assertThat(node).isNotNull().isSameAs(device.node()).isSameAs(device.opened());
    device.stop();
    assertThat(opened).hasValue(1);
  }

  @Test
  void callersDoNotWaitForADeviceThatTakesLongAndUseItWhenItIsOpen() {
    try (LogLines log = new LogLines()) {
      OwnDevice device = new OwnDevice("soft", this::openWhenLet, SHORT, SHORT);
      assertThat(device.node()).isNull();
      assertThat(device.node()).as("at the next fetch").isNull();
      assertThat(device.opened()).as("without waiting").isNull();
      assertThat(log.all()).singleElement().asString().contains("device soft can't be used");
      stuck.countDown();
      while (device.node() == null) {
        Thread.onSpinWait();
      }
      device.stop();
      assertThat(opened).hasValue(1);
    }
  }

  @Test
  void aDeviceThatOpensAfterTheEndOfItsExecutorIsClosed() {
    OwnDevice device = new OwnDevice("soft", this::openWhenLet, SHORT, SHORT);
    assertThat(device.node()).isNull();
    device.stop();
    stuck.countDown();
    assertThatThrownBy(
            () -> {
              while (true) {
                nic.port(1);
              }
            })
        .isInstanceOf(ClosedException.class);
    assertThat(device.node()).isNull();
  }

  @Test
  void aDeviceThatIsOutOfMemoryWhenItIsSetUpIsClosed() {
    HeldRegistrations hca = new HeldRegistrations("soft");
    Device device = Device.over(hca);
    hca.exhaust();
    assertThatThrownBy(() -> over(device, 0)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> device.port(1)).isInstanceOf(ClosedException.class);
  }

  @Test
  void theReasonWhyADeviceCannotBeUsedIsReportedThoughItCannotBeClosed() throws IOException {
    HeldRegistrations hca = new HeldRegistrations("soft");
    try (Device device = Device.over(hca);
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      hca.keep();
      assertThatThrownBy(() -> over(device, other.getLocalPort()))
          .isInstanceOf(BindException.class)
          .satisfies(
              thrown ->
                  assertThat(thrown.getSuppressed())
                      .singleElement()
                      .asString()
                      .contains("no memory is deregistered"));
    }
  }

  @Test
  void anErrorWhileTheDeviceOpensIsReportedAndOpeningIsTriedAgain() {
    try (LogLines log = new LogLines()) {
      OwnDevice device =
          new OwnDevice(
              "soft",
              () -> {
                if (opened.get() == 0) {
                  opened.incrementAndGet();
                  throw new NoClassDefFoundError("a class");
                }
                return open();
              },
              Duration.ofNanos(1),
              LONG);
      assertThat(device.node()).isNull();
      assertThat(log.all()).singleElement().asString().endsWith("can't be used: a class");
      assertThat(device.node()).isNotNull();
      device.stop();
    }
  }
}
