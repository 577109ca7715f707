package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RequestData;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of every length at every place of the ring, and counters that wrap. */
@Conformance
public class RingTest {
  /** The tag of tests in which the index of a ring wraps, which takes 65,536 requests. */
  public static final String WRAPS = "wraps";

  private static final int RING = 16;

  /** Inline bytes with which an RDMA WRITE takes exactly this many WQEBBs. */
  private static int inlineBytes(int wqebbs) {
    return 64 * wqebbs - 36;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 15})
  void aRequestMayCrossTheEndOfTheRingAtAnyPlace(int wqebbs, Bench bench) {
    writeAtAnyPlace(bench, wqebbs, false);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 15})
  void withNopFillARequestLiesInOnePieceAndWorksAsWell(int wqebbs, Bench bench) {
    writeAtAnyPlace(bench, wqebbs, true);
  }

  private static void writeAtAnyPlace(Bench bench, int wqebbs, boolean nopFill) {
    for (int place = 0; place < RING; place++) {
      try {
        writeAt(bench, place, wqebbs, nopFill);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("at place %d: %s".formatted(place, e.getMessage()), e);
      }
    }
  }

  private static void writeAt(Bench bench, int place, int wqebbs, boolean nopFill) {
    Ends ends =
        bench
            .ends()
            .left(plan -> plan.sendQueue(1).maxInline(inlineBytes(15)).nopFill(nopFill))
            .connect();
    RcQueuePair left = ends.left().queuePair();
    // With NOP fill, the ring has room for a request and the longest fill.
    int ring = nopFill ? 2 * RING : RING;
    assertThat(left.sendQueueWqebbs()).isEqualTo(ring);
    for (int i = 0; i < ring - RING + place; i++) {
      left.nop().signaled(i);
      ends.left().complete(i);
    }
    int bytes = inlineBytes(wqebbs);
    byte[] data = Buffer.pattern(place * 31L + wqebbs, bytes);
    Buffer target = ends.right().buffer(1024).fill(7);
    byte[] before = target.bytes();
    left.write(target.remote(5)).inline(data, 0, bytes).signaled(100);
    ends.left().complete(100);
    target.expect(before, 5, data);
    left.nop().signaled(101);
    ends.left().complete(101);
    assertThat(left.freeWqebbs()).isEqualTo(ring);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void aGatherListMayCrossTheEndOfTheRing(int place, Bench bench) {
    Ends ends = bench.ends().left(plan -> plan.sendQueue(2).maxGather(26)).connect();
    RcQueuePair left = ends.left().queuePair();
    assertThat(left.sendQueueWqebbs()).isEqualTo(RING);
    for (int i = 0; i < place; i++) {
      left.nop().signaled(i);
      ends.left().complete(i);
    }
    Buffer source = ends.left().buffer(26 * 4).fill(place);
    Buffer target = ends.right().buffer(26 * 4);
    RequestData request = left.write(target.remote(0));
    for (int i = 0; i < 26; i++) {
      request = request.gather(source.region(), 4L * i, 4);
    }
    request.signaled(100);
    ends.left().complete(100);
    assertThat(target.bytes()).isEqualTo(source.bytes());
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  @Tag(TrafficTest.TAG)
  @Tag(WRAPS)
  void theSendQueuesIndexWrapsAt65536(boolean blueFlame, boolean nopFill, Bench bench) {
    Ends ends =
        bench
            .ends()
            .left(plan -> plan.sendQueue(128).maxInline(92).blueFlame(blueFlame).nopFill(nopFill))
            .connect();
    RcQueuePair left = ends.left().queuePair();
    Buffer target = ends.right().buffer(92);
    byte[] data = new byte[92];
    int posted = 0;
    // Alternates requests of two and one WQEBBs, so the index also wraps inside requests.
    for (int i = 0; posted < 70_000; i++) {
      data[0] = (byte) i;
      data[91] = (byte) (i >> 8);
      int bytes = i % 2 == 0 ? 92 : 12;
      posted += bytes == 92 ? 2 : 1;
      RequestData write = left.write(target.remote(0)).inline(data, 0, bytes);
      if (i % 128 == 127) {
        write.signaled(i);
        ends.left().complete(i);
        assertThat(target.bytes(0, bytes)).isEqualTo(Arrays.copyOf(data, bytes));
      } else {
        write.unsignaled(i);
        if (i % 5 == 0) {
          left.ringDoorbell();
        }
      }
    }
  }

  @Test
  @Tag(TrafficTest.TAG)
  @Tag(WRAPS)
  void theReceiveQueuesCounterWrapsAt65536(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.receiveQueue(64)).connect();
    Buffer target = ends.right().buffer(64 * 4);
    int next = 0;
    for (int round = 0; round < 66_000 / 64; round++) {
      for (int i = 0; i < 64; i++) {
        ends.right().queuePair().receive().scatter(target.region(), 4L * i, 4).post(next + i);
      }
      ends.right().queuePair().ringReceiveDoorbell();
      for (int i = 0; i < 64; i++) {
        int value = next + i;
        byte[] data = {(byte) value, (byte) (value >> 8), (byte) (value >> 16), 1};
        if (i == 63) {
          ends.left().queuePair().send().inline(data, 0, 4).signaled(round);
        } else {
          ends.left().queuePair().send().inline(data, 0, 4).unsignaled(value);
        }
      }
      ends.left().complete(round);
      List<Done> done = ends.right().await(64);
      done.getFirst().requireSuccess(next);
      done.getLast().requireSuccess(next + 63);
      assertThat(target.bytes(0, 1)[0]).isEqualTo((byte) next);
      assertThat(target.bytes(252, 1)[0]).isEqualTo((byte) (next + 63));
      next += 64;
    }
  }

  @Test
  void repostedReceivesTakeMessagesInTheSlotsOfThePassBefore(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.receiveQueue(4)).connect();
    Buffer target = ends.right().buffer(4 * 4);
    for (int i = 0; i < 4; i++) {
      ends.right().queuePair().receive().scatter(target.region(), 4L * i, 4).post(i);
    }
    ends.right().queuePair().ringReceiveDoorbell();
    for (int i = 0; i < 10; i++) {
      byte[] data = {(byte) i, 1, 2, 3};
      ends.left().queuePair().send().inline(data, 0, 4).signaled(i);
      ends.left().complete(i);
      ends.right().awaitSuccess(i % 4);
      assertThat(target.bytes(4L * (i % 4), 4)).isEqualTo(data);
      if (i % 2 == 1) {
        ends.right().queuePair().repostReceives(2);
        ends.right().queuePair().ringReceiveDoorbell();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void theSmallestQueuesWork(int requests, Bench bench) {
    Ends ends =
        bench
            .ends()
            .entries(1)
            .both(plan -> plan.sendQueue(requests).receiveQueue(requests))
            .connect();
    for (int i = 0; i < 3 * requests; i++) {
      ends.right().receiveNothing(1, i);
      ends.left().sendNothing(i);
      ends.left().awaitSuccess(i);
      ends.right().awaitSuccess(i);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneDoorbellRingsForManyRequests(boolean blueFlame, Bench bench) {
    Ends ends = bench.ends().left(plan -> plan.sendQueue(128).blueFlame(blueFlame)).connect();
    Buffer target = ends.right().buffer(128);
    for (int i = 0; i < 128; i++) {
      byte[] data = {(byte) i};
      ends.left().queuePair().write(target.remote(i)).inline(data, 0, 1).signaled(i);
    }
    ends.left().queuePair().ringDoorbell();
    ends.left().awaitInOrder(128, 0);
    for (int i = 0; i < 128; i++) {
      assertThat(target.bytes(i, 1)[0]).isEqualTo((byte) i);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 48, 64, 112, 176, 204, 220})
  void aRequestThatIsCopiedIntoTheRegisterExecutesOnce(int inline, Bench bench) {
    Ends ends =
        bench.ends().left(plan -> plan.sendQueue(4).maxInline(300).blueFlame(true)).connect();
    Buffer word = ends.right().buffer(8 + inline);
    Buffer result = ends.left().buffer(8);
    byte[] data = Buffer.pattern(inline, inline);
    for (int i = 0; i < 40; i++) {
      ends.left().queuePair().write(word.remote(8)).inline(data, 0, inline).unsignaled(i);
      ends.left().queuePair().ringDoorbell();
      ends.left().fetchAndAdd(word, 0, 1, result, 0, i);
      ends.left().awaitSuccess(i);
      assertThat(result.getLong(0)).isEqualTo(i);
    }
    assertThat(word.bytes(8, inline)).isEqualTo(data);
  }
}
