package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ReceiveRequest;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestScatter;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gather and scatter lists, and inline data. */
@Conformance
class GatherTest {
  private static final int MOST = 12;

  private static Ends wide(Bench bench) {
    return bench
        .ends()
        .both(plan -> plan.maxGather(MOST).maxInline(200).maxScatter(MOST).sendQueue(16))
        .connect();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 8, MOST})
  void aWriteGathersItsEntriesInTheirOrder(int entries, Bench bench) {
    Ends ends = wide(bench);
    Buffer source = ends.left().buffer(8192).fill(1);
    Buffer target = ends.right().buffer(8192).fill(2);
    byte[] before = target.bytes();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    RequestData request = ends.left().queuePair().write(target.remote(100));
    for (int i = 0; i < entries; i++) {
      // From the end of the source to its start, to detect a wrong order.
      int offset = 8000 - 600 * i;
      int length = 1 + 37 * i;
      expected.writeBytes(source.bytes(offset, length));
      request = request.gather(source.region(), offset, length);
    }
    request.signaled(1);
    ends.left().complete(1);
    target.expect(before, 100, expected.toByteArray());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void gatherAndScatterListsNeedNotBeCutAtTheSamePlaces(long seed, Bench bench) {
    Random random = new Random(seed);
    Ends ends = wide(bench);
    int total = 1 + random.nextInt(200_000);
    Buffer source = ends.left().buffer(total).fill(seed);
    Buffer target = ends.right().buffer(total + 64L).fill(~seed);
    byte[] before = target.bytes();
    int[] scatter = cuts(random, total);
    ReceiveRequest receive =
        ends.right().queuePair().receive().scatter(target.region(), 0, scatter[1]);
    for (int i = 1; i + 1 < scatter.length; i++) {
      receive = receive.scatter(target.region(), scatter[i], scatter[i + 1] - scatter[i]);
    }
    receive.post(5);
    ends.right().queuePair().ringReceiveDoorbell();
    int[] gather = cuts(random, total);
    RequestData send = ends.left().queuePair().send();
    for (int i = 0; i + 1 < gather.length; i++) {
      send = send.gather(source.region(), gather[i], gather[i + 1] - gather[i]);
    }
    send.signaled(6);
    ends.left().complete(6);
    assertThat(ends.right().awaitSuccess(5).byteCount()).isEqualTo(total);
    target.expect(before, 0, source.bytes());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aReadScattersItsDataOverItsEntries(long seed, Bench bench) {
    Random random = new Random(seed);
    Ends ends = wide(bench);
    int total = 1 + random.nextInt(200_000);
    Buffer source = ends.right().buffer(total).fill(seed);
    Buffer target = ends.left().buffer(total).fill(~seed);
    int[] scatter = cuts(random, total);
    RequestScatter read =
        ends.left().queuePair().read(source.remote(0)).scatter(target.region(), 0, scatter[1]);
    for (int i = 1; i + 1 < scatter.length; i++) {
      read = read.scatter(target.region(), scatter[i], scatter[i + 1] - scatter[i]);
    }
    read.signaled(7);
    assertThat(ends.left().complete(7).byteCount()).isEqualTo(total);
    assertThat(target.bytes()).isEqualTo(source.bytes());
  }

  @Test
  void entriesMayComeFromSeveralRegions(Bench bench) {
    Ends ends = wide(bench);
    Buffer first = ends.left().buffer(100).fill(1);
    Buffer second = ends.left().buffer(100).fill(2);
    Buffer target = ends.right().buffer(200);
    ends.left()
        .queuePair()
        .write(target.remote(0))
        .gather(second.region(), 0, 100)
        .gather(first.region(), 0, 100)
        .signaled(1);
    ends.left().complete(1);
    assertThat(target.bytes(0, 100)).isEqualTo(second.bytes());
    assertThat(target.bytes(100, 100)).isEqualTo(first.bytes());
  }

  @Test
  void anEntryOfNoBytesAddsNothing(Bench bench) {
    Ends ends = wide(bench);
    Buffer source = ends.left().buffer(100).fill(1);
    Buffer target = ends.right().buffer(100);
    ends.left()
        .queuePair()
        .write(target.remote(0))
        .gather(0, 0, 0)
        .gather(source.region(), 0, 10)
        .gather(0, 0, 0)
        .gather(source.region(), 10, 10)
        .signaled(1);
    ends.left().complete(1);
    assertThat(target.bytes(0, 20)).isEqualTo(source.bytes(0, 20));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 11, 12, 13, 27, 28, 29, 43, 44, 45, 60, 61, 107, 108, 200})
  void inlineDataNeedsNoRegistration(int size, Bench bench) {
    Ends ends = wide(bench);
    byte[] data = Buffer.pattern(size, size + 2);
    MemorySegment unregistered = Arena.ofAuto().allocate(size + 2L);
    MemorySegment.copy(data, 0, unregistered, ValueLayout.JAVA_BYTE, 0, data.length);
    Buffer target = ends.right().buffer(1024).fill(9);
    byte[] before = target.bytes();
    ends.left().queuePair().write(target.remote(8)).inline(unregistered, 1, size).unsignaled(1);
    ends.left().queuePair().write(target.remote(508)).inline(data, 1, size).signaled(2);
    // The bytes are in the request already.
    unregistered.fill((byte) 0);
    ends.left().complete(2);
    byte[] sent = Arrays.copyOfRange(data, 1, 1 + size);
    byte[] expected = before.clone();
    System.arraycopy(sent, 0, expected, 8, size);
    System.arraycopy(sent, 0, expected, 508, size);
    assertThat(target.bytes()).isEqualTo(expected);
  }

  @Test
  void inlineAndGatheredDataMixInOneRequest(Bench bench) {
    Ends ends = wide(bench);
    Buffer source = ends.left().buffer(100).fill(1);
    Buffer target = ends.right().buffer(256);
    byte[] header = {1, 2, 3, 4, 5};
    byte[] trailer = {9, 8, 7};
    ends.right().receive(target, 0, 256, 3);
    ends.left()
        .queuePair()
        .send()
        .inline(header, 0, header.length)
        .gather(source.region(), 0, 100)
        .inline(trailer, 0, trailer.length)
        .signaled(1);
    ends.left().complete(1);
    assertThat(ends.right().awaitSuccess(3).byteCount()).isEqualTo(108);
    assertThat(target.bytes(0, 5)).isEqualTo(header);
    assertThat(target.bytes(5, 100)).isEqualTo(source.bytes());
    assertThat(target.bytes(105, 3)).isEqualTo(trailer);
  }

  @Test
  void aMessageThatFillsAllScatterEntriesButOneByteFits(Bench bench) {
    Ends ends = wide(bench);
    Buffer source = ends.left().buffer(64).fill(1);
    Buffer target = ends.right().buffer(64);
    ends.right()
        .queuePair()
        .receive()
        .scatter(target.region(), 0, 16)
        .scatter(target.region(), 16, 16)
        .post(1);
    ends.right().queuePair().ringReceiveDoorbell();
    ends.left().send(source, 0, 31, 2);
    ends.left().awaitSuccess(2);
    assertThat(ends.right().awaitSuccess(1).byteCount()).isEqualTo(31);
    assertThat(target.bytes(0, 31)).isEqualTo(source.bytes(0, 31));
    assertThat(target.bytes(31, 33)).containsOnly(0);
  }

  @Test
  @ExpectsRefusal
  void aMessageLongerThanTheReceiveRequestFailsAtBothEnds(Bench bench) {
    Ends ends = wide(bench);
    Buffer source = ends.left().buffer(64).fill(1);
    Buffer target = ends.right().buffer(64);
    ends.right()
        .queuePair()
        .receive()
        .scatter(target.region(), 0, 16)
        .scatter(target.region(), 32, 15)
        .post(1);
    ends.right().queuePair().ringReceiveDoorbell();
    ends.left().send(source, 0, 32, 2);
    ends.left()
        .awaitOne(
            2, CompletionStatus.REMOTE_INVALID_REQUEST, "32 bytes", "31 bytes", "receive WQE");
    ends.right().awaitOne(1, CompletionStatus.LOCAL_LENGTH_ERROR, "32 bytes", "31 bytes");
    assertThat(target.bytes(48, 16)).containsOnly(0);
  }

  @Test
  @ExpectsRefusal
  void aReceiveRequestWithoutMemoryTakesMessagesWithoutDataOnly(Bench bench) {
    Ends ends = wide(bench);
    Buffer source = ends.left().buffer(64, Access.LOCAL_WRITE);
    ends.right().receiveNothing(2, 10);
    ends.left().send(source, 0, 0, 1);
    ends.left().awaitSuccess(1);
    assertThat(ends.right().awaitSuccess(10).byteCount()).isZero();
    ends.left().send(source, 0, 1, 2);
    ends.left().awaitOne(2, CompletionStatus.REMOTE_INVALID_REQUEST);
    ends.right().awaitOne(11, CompletionStatus.LOCAL_LENGTH_ERROR);
  }

  /** Sorted boundaries of random pieces of {@code total} bytes, at most {@link #MOST} pieces. */
  private static int[] cuts(Random random, int total) {
    int pieces = 1 + random.nextInt(MOST);
    int[] cuts = random.ints(pieces + 1L, 0, total + 1).toArray();
    cuts[0] = 0;
    cuts[pieces] = total;
    Arrays.sort(cuts);
    return cuts;
  }
}
