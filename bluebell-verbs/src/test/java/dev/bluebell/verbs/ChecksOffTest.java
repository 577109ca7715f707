package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With {@code -Dbluebell.checks=off}, correct programs work and misuse is not detected. */
class ChecksOffTest {

  @Test
  void checksAreOnByDefault() throws Exception {
    assertThat(run()).contains("a full queue is noticed", "an ended request is noticed");
  }

  @Test
  void checksCanBeSwitchedOff() throws Exception {
    assertThat(run("-Dbluebell.checks=off"))
        .contains(
            "posted and rung",
            "a full queue is not noticed",
            "an ended request is not noticed",
            "nothing is written outside a ring",
            "inline data of 2 GiB is refused",
            "a range beyond its region is refused");
  }

  private static String run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** Uses a queue well, then badly. */
  static final class Program {
    public static void main(String[] arguments) {
      FakeHca hca = new FakeHca();
      Device device = Device.over(hca);
      ProtectionDomain domain = device.allocateProtectionDomain();
      RcQueuePair queuePair =
          domain.rcQueuePair(device.createCompletionQueue(16)).sendQueue(4).create();
      queuePair.connect(queuePair.endpoint());
      queuePair.write(0x1000, 7).gather(0x2000, 8, 9).signaled(1);
      queuePair.ringDoorbell();
      System.out.println("posted and rung");
      refuseHugeData(queuePair);
      refuseForeignRange(queuePair, domain.allocate(64, Access.LOCAL_WRITE));
      say("a full queue", () -> fill(queuePair));
      say("an ended request", () -> endTwice(queuePair));
      if (receivesStayInside()) {
        System.out.println("nothing is written outside a ring");
      }
    }

    private static void refuseHugeData(RcQueuePair queuePair) {
      MemorySegment huge = MemorySegment.NULL.reinterpret(Integer.MAX_VALUE);
      try {
        queuePair.send().inline(huge, 0, Integer.MAX_VALUE).signaled(1);
      } catch (IllegalArgumentException e) {
        System.out.println("inline data of 2 GiB is refused");
      }
    }

    private static void refuseForeignRange(RcQueuePair queuePair, MemoryRegion region) {
      try {
        queuePair.send().gather(region, 60, 8).signaled(1);
      } catch (IndexOutOfBoundsException e) {
        System.out.println("a range beyond its region is refused");
      }
    }

    /** Ends receives twice, first at the start of a ring and then at its end. */
    private static boolean receivesStayInside() {
      byte canary = 0x5a;
      MemorySegment memory = Arena.ofAuto().allocate(64 + 64 + 64, 64).fill(canary);
      MemorySegment record = Arena.ofAuto().allocate(8, 8);
      ReceiveRing ring =
          new ReceiveRing(
              new ReceiveRingLayout(memory.address() + 64, 2, 4, 0x77, record.address(), 0));
      for (int i = 0; i < 4; i++) {
        ReceiveRequest stage = ring.receive().scatter(0x1000, 0, 7);
        stage.post(1);
        say("a receive that ended", () -> stage.post(2));
        say("a receive that ended", () -> misuse(stage));
      }
      return memory.asSlice(0, 64).mismatch(memory.asSlice(128)) == -1
          && memory.get(ValueLayout.JAVA_BYTE, 63) == canary;
    }

    private static void misuse(ReceiveRequest stage) {
      try {
        stage.scatter(0x1000, 8, 7).scatter(0x2000, 8, 7).post(3);
      } catch (IllegalArgumentException e) {
        System.out.println("the ring has no room");
      }
    }

    private static void say(String what, Runnable misuse) {
      try {
        misuse.run();
        System.out.println(what + " is not noticed");
      } catch (IllegalStateException e) {
        System.out.println(what + " is noticed");
      }
    }

    private static void fill(RcQueuePair queuePair) {
      for (int i = 0; i < 5; i++) {
        queuePair.nop().signaled(i);
      }
    }

    private static void endTwice(RcQueuePair queuePair) {
      queuePair.reset();
      RequestModifiers stage = queuePair.nop();
      stage.signaled(1);
      stage.signaled(2);
    }
  }
}
