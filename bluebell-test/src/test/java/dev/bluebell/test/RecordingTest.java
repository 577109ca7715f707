package dev.bluebell.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueFailedException;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.WindowType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's flight recorder receives events of the driver's objects. */
class RecordingTest {
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final int BYTES = 64;

  /** Periodic events are recorded at the begin and at the end of the recording. */
  private static final List<String> PERIODIC =
      List.of("QueuePairRate", "CompletionQueueRate", "ReceiverNotReady", "Retransmission");

  @TempDir private Path folder;

  private final List<Completion> failures = new ArrayList<>();
  private int succeeded;

  /** Two connected queue pairs of a device that the polling thread runs. */
  private static final class Ends implements AutoCloseable {
    final Device device;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final MemoryRegion memory;
    final RcQueuePair left;
    final RcQueuePair right;

    Ends(String name, int entries, ConnectOptions options) {
      device = Device.open(name);
      domain = device.allocateProtectionDomain();
      completions = device.createCompletionQueue(entries);
      memory = domain.allocate(BYTES, Access.rights());
      left = domain.rcQueuePair(completions).sendQueue(64).create();
      right = domain.rcQueuePair(device.createCompletionQueue(64)).create();
      left.connect(right.endpoint(), options);
      right.connect(left.endpoint(), options);
    }

    void write(int rkey) {
      left.write(memory.remote().address(), rkey).gather(memory, 0, BYTES).signaled(42);
      left.ringDoorbell();
    }

    @Override
    public void close() {
      device.close();
    }
  }

  private Ends open() {
    return new Ends("soft:engine=poll", 64, ConnectOptions.DEFAULT);
  }

  @Test
  @Tag("slow")
  void aProcessWithoutARecordingLoadsNoClassOfTheRecorder() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xlog:class+load",
                "-cp",
                System.getProperty("java.class.path"),
                Unrecorded.class.getName())
            .redirectErrorStream(true)
            .start();
    List<String> output =
        new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(child.waitFor()).isZero();
    assertThat(output)
        .anyMatch(line -> line.endsWith(Unrecorded.END))
        .noneMatch(line -> line.contains("jdk.jfr.Event "));
  }

  /** Opens a device, makes one request succeed and one fail, and closes it. */
  static final class Unrecorded {
    static final String END = "a success and a failure";

    public static void main(String[] arguments) {
      try (Ends ends = new Ends("soft:engine=poll", 64, ConnectOptions.DEFAULT)) {
        for (int rkey : new int[] {ends.memory.remote().rkey(), 0}) {
          ends.write(rkey);
          while (ends.completions.poll() == null) {
            Thread.onSpinWait();
          }
        }
        System.out.println(END);
      }
    }
  }

  private static Recording record() {
    Recording recording = new Recording();
    PERIODIC.forEach(name -> recording.enable("dev.bluebell." + name).with("period", "everyChunk"));
    recording.start();
    return recording;
  }

  private List<RecordedEvent> events(Recording recording, String name) throws IOException {
    if (recording.getState() == RecordingState.RUNNING) {
      recording.stop();
    }
    Path file = folder.resolve("recording.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("dev.bluebell." + name))
        .toList();
  }

  private void await(Ends ends, BooleanSupplier done) {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - start).isLessThan(PATIENCE_NANOS);
      int unused =
          ends.completions.poll(
              completion -> {
                if (completion.isSuccess()) {
                  succeeded++;
                } else {
                  failures.add(completion);
                }
              });
    }
  }

  @Test
  void devicesAreOpenedAndClosedAndQueuePairsMoved() throws IOException {
    try (Recording recording = record()) {
      int qpn;
      try (Ends ends = open()) {
        qpn = ends.left.number();
        ends.left.toError();
      }
      List<RecordedEvent> states = events(recording, "QueuePairState");
      assertThat(states)
          .filteredOn(event -> event.getInt("queuePair") == qpn)
          .extracting(event -> event.getString("before") + " " + event.getString("state"))
          .containsExactly("RESET INIT", "INIT RTR", "RTR RTS", "RTS ERROR");
      for (String name : List.of("DeviceOpened", "DeviceClosed")) {
        assertThat(events(recording, name))
            .singleElement()
            .extracting(event -> event.getString("device"))
            .isEqualTo("soft");
      }
    }
  }

  @Test
  void aFailedCompletionIsRecordedWithItsExplanation() throws IOException {
    try (Recording recording = record();
        Ends ends = open()) {
      ends.write(ends.memory.rkey() ^ 1);
      ends.write(ends.memory.rkey());
      await(ends, () -> failures.size() == 2);
      List<RecordedEvent> told = events(recording, "CompletionFailed");
      assertThat(told)
          .extracting(event -> event.getString("status"))
          .containsExactly("REMOTE_ACCESS_ERROR", "WORK_REQUEST_FLUSHED");
      RecordedEvent first = told.getFirst();
      assertThat(first.getString("explanation")).contains("rkey 0x");
      assertThat(first.getString("device")).isEqualTo("soft");
      assertThat(first.getString("opcode")).isEqualTo("RDMA_WRITE");
      assertThat(first.getLong("id")).isEqualTo(42);
      assertThat(first.getInt("syndrome")).isEqualTo(0x13);
      assertThat(first.getInt("queuePair")).isEqualTo(ends.left.number());
      assertThat(first.getInt("completionQueue")).isEqualTo(ends.completions.number());
    }
  }

  @Test
  void anOverrunOfACompletionQueueIsRecordedOnce() throws IOException {
    try (Recording recording = record();
        Ends ends = new Ends("soft:engine=poll", 1, ConnectOptions.DEFAULT)) {
      for (int i = 0; i < 4; i++) {
        ends.write(ends.memory.rkey());
      }
      boolean failed = false;
      long start = System.nanoTime();
      while (!failed) {
        assertThat(System.nanoTime() - start).isLessThan(PATIENCE_NANOS);
        try {
          ends.device.progress();
          int unused = ends.completions.poll(completion -> succeeded++);
        } catch (CompletionQueueFailedException expected) {
          failed = true;
        }
      }
      assertThat(events(recording, "CompletionQueueFailed"))
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.getBoolean("overrun")).isTrue();
                assertThat(event.getInt("entries")).isEqualTo(1);
                assertThat(event.getInt("completionQueue")).isEqualTo(ends.completions.number());
              });
    }
  }

  @Test
  void aMessageWithoutAReceiveIsRecorded() throws IOException {
    ConnectOptions once = ConnectOptions.DEFAULT.withRnrRetry(0);
    try (Recording recording = record();
        Ends ends = new Ends("soft:engine=poll", 64, once)) {
      ends.left.send().gather(ends.memory, 0, BYTES).signaled(1);
      ends.left.ringDoorbell();
      await(ends, () -> failures.size() == 1);
      assertThat(events(recording, "ReceiverNotReady"))
          .extracting(event -> event.getString("counter"))
          .contains("out_of_buffer");
    }
  }

  @Test
  void retransmissionsAreRecorded() throws IOException {
    ConnectOptions soon = ConnectOptions.DEFAULT.withTimeout(8);
    try (Recording recording = record();
        Ends ends = new Ends("soft:engine=poll,loss=30%,seed=5", 64, soon)) {
      for (int i = 0; i < 30; i++) {
        ends.write(ends.memory.rkey());
      }
      await(ends, () -> succeeded == 30);
      assertThat(events(recording, "Retransmission"))
          .isNotEmpty()
          .allMatch(event -> event.getLong("count") > 0)
          .allMatch(event -> event.getLong("total") >= event.getLong("count"));
    }
  }

  @Test
  void ratesAreMeasuredBetweenTwoSamples() throws IOException {
    try (Ends ends = open()) {
      ends.write(ends.memory.rkey());
      await(ends, () -> succeeded == 1);
      try (Recording recording = record()) {
        for (int i = 0; i < 10; i++) {
          ends.write(ends.memory.rkey());
        }
        await(ends, () -> succeeded == 11);
        assertThat(events(recording, "QueuePairRate"))
            .filteredOn(event -> event.getInt("queuePair") == ends.left.number())
            .extracting(event -> event.getLong("blocks"))
            .containsExactly(1L, 10L);
        List<RecordedEvent> polled =
            events(recording, "CompletionQueueRate").stream()
                .filter(event -> event.getInt("completionQueue") == ends.completions.number())
                .toList();
        assertThat(polled)
            .extracting(event -> event.getLong("completions"))
            .containsExactly(1L, 10L);
        assertThat(polled.getLast().getDouble("completionsPerSecond")).isPositive();
      }
    }
  }

  @Test
  void aBindCountsAsItsBlocks() throws IOException {
    try (Recording recording = record();
        Ends ends = open();
        MemoryWindow window = ends.domain.allocateWindow(WindowType.TYPE_1)) {
      int unused =
          ends.left
              .bind(window, ends.memory, 0, BYTES, WindowRights.of(Access.REMOTE_READ))
              .signaled(42);
      ends.left.ringDoorbell();
      await(ends, () -> succeeded == 1);
      assertThat(events(recording, "QueuePairRate"))
          .filteredOn(event -> event.getInt("queuePair") == ends.left.number())
          .singleElement()
          .satisfies(event -> assertThat(event.getLong("blocks")).isBetween(1L, 4L));
    }
  }
}
