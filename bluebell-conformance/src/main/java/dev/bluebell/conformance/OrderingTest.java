package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.WorkOpcode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of one queue pair take effect and complete in the order of their posting. */
@Conformance
class OrderingTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void completionsComeInTheOrderOfPostingWhateverTheOpcode(long seed, Bench bench) {
    Random random = new Random(seed);
    Ends ends = bench.ends().both(plan -> plan.sendQueue(256).receiveQueue(256)).connect();
    Buffer local = ends.left().buffer(1 << 20).fill(seed);
    Buffer remote = ends.right().buffer(1 << 20);
    ends.right().receiveNothing(200, 0);
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < 200; i++) {
      int bytes = random.nextInt(4) == 0 ? random.nextInt(1 << 19) : random.nextInt(64);
      RequestModifiers request =
          switch (random.nextInt(6)) {
            case 0 -> left.write(remote.remote(0)).gather(local.region(), 0, bytes);
            case 1 -> left.read(remote.remote(0)).scatter(local.region(), 1 << 19, bytes);
            case 2 -> left.send();
            case 3 -> left.fetchAndAdd(remote.remote(0), 1).scatter(local.region(), 1 << 19);
            case 4 -> left.nop();
            default -> left.writeImmediate(remote.remote(0), i).gather(local.region(), 0, bytes);
          };
      request.signaled(i);
      if (random.nextInt(5) == 0) {
        left.ringDoorbell();
      }
    }
    left.ringDoorbell();
    ends.left().awaitInOrder(200, 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "DC", "XRC"})
  void operationsOfAllKindsFollowEachOther(ConnectionKind kind, Bench bench) {
    bench.assumeCapabilities(kind.needs().toArray(String[]::new));
    Line line = new Line(bench, kind);
    line.target.putLong(0, 41);
    line.receive(0, 100);
    line.begin()
        .fetchAndAdd(line.target.remote(0), 1)
        .scatter(line.landing.region(), 0)
        .signaled(1);
    line.begin()
        .compareAndSwap(line.target.remote(0), 42, 7)
        .scatter(line.landing.region(), 8)
        .signaled(2);
    line.begin().read(line.target.remote(64)).scatter(line.landing.region(), 64, 1000).signaled(3);
    line.begin()
        .writeImmediate(line.target.remote(2000), 5)
        .gather(line.source.region(), 0, 1000)
        .fence()
        .signaled(4);
    line.begin().write(line.target.remote(3500)).inline(new byte[] {1, 2, 3}, 0, 3).signaled(5);
    line.ordered().nop().signaled(6);
    line.sender().ringDoorbell();
    List<Done> done = bench.await(line.sends(), 6);
    for (int i = 0; i < 6; i++) {
      done.get(i).requireSuccess(i + 1);
    }
    assertThat(line.landing.getLong(0)).isEqualTo(41);
    assertThat(line.landing.getLong(8)).isEqualTo(42);
    assertThat(line.target.getLong(0)).isEqualTo(7);
    assertThat(line.landing.bytes(64, 1000)).isEqualTo(line.target.bytes(64, 1000));
    assertThat(line.target.bytes(2000, 1000)).isEqualTo(line.source.bytes(0, 1000));
    assertThat(line.target.bytes(3500, 3)).containsExactly(1, 2, 3);
    Done received = bench.await(line.receives(), 1).getFirst().requireSuccess(100);
    assertThat(received.opcode()).isEqualTo(WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
    assertThat(received.immediate()).isEqualTo(5);
  }

  @Test
  void receivesAreTakenInTheOrderOfPosting(Bench bench) {
    Ends ends = bench.ends().left(plan -> plan.sendQueue(128)).connect();
    Buffer target = ends.right().buffer(64 * 8);
    for (int i = 0; i < 64; i++) {
      ends.right().queuePair().receive().scatter(target.region(), 8L * i, 8).post(1000 + i);
    }
    ends.right().queuePair().ringReceiveDoorbell();
    for (int i = 0; i < 64; i++) {
      byte[] data = {(byte) i};
      ends.left().queuePair().send().inline(data, 0, 1).unsignaled(i);
      if (i % 10 == 0) {
        ends.left().queuePair().ringDoorbell();
      }
    }
    ends.left().nop(64);
    ends.right().awaitInOrder(64, 1000);
    for (int i = 0; i < 64; i++) {
      assertThat(target.bytes(8L * i, 1)[0]).isEqualTo((byte) i);
    }
    ends.left().awaitSuccess(64);
  }

  @Test
  void theLaterOfTwoWritesToOnePlaceWins(Bench bench) {
    Ends ends = bench.connected();
    Buffer first = ends.left().buffer(1 << 20).fill(1);
    Buffer second = ends.left().buffer(1 << 20).fill(2);
    Buffer target = ends.right().buffer(1 << 20);
    for (int i = 0; i < 10; i++) {
      ends.left()
          .queuePair()
          .write(target.remote(0))
          .gather(first.region(), 0, 1 << 20)
          .unsignaled(1);
      ends.left().write(second, 0, 1 << 20, target, 0, 2);
      ends.left().awaitSuccess(2);
      assertThat(target.bytes()).isEqualTo(second.bytes());
    }
  }

  @Test
  void dataIsThereWhenTheReceiverLearnsOfIt(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.receiveQueue(1024)).connect();
    Buffer source = ends.left().buffer(1 << 17);
    Buffer target = ends.right().buffer(1 << 17);
    for (int i = 1; i <= 200; i++) {
      byte[] data = Buffer.pattern(i, 1 << 17);
      source.put(0, data);
      ends.right().receiveNothing(1, i);
      ends.left()
          .queuePair()
          .write(target.remote(0))
          .gather(source.region(), 0, 1 << 17)
          .unsignaled(i);
      ends.left().sendNothing(i);
      ends.right().awaitSuccess(i);
      assertThat(target.bytes()).isEqualTo(data);
      ends.left().awaitSuccess(i);
    }
  }

  @Test
  void bothDirectionsOfAConnectionAreIndependent(Bench bench) {
    Ends ends = bench.connected();
    Buffer left = ends.left().buffer(1 << 20).fill(1);
    Buffer right = ends.right().buffer(1 << 20).fill(2);
    Buffer leftTarget = ends.left().buffer(1 << 20);
    Buffer rightTarget = ends.right().buffer(1 << 20);
    for (int i = 0; i < 8; i++) {
      ends.left().write(left, 0, 1 << 20, rightTarget, 0, i);
      ends.right().write(right, 0, 1 << 20, leftTarget, 0, i);
      ends.left().read(right, 0, 1 << 20, leftTarget, 0, 100 + i);
      ends.right().read(left, 0, 1 << 20, rightTarget, 0, 100 + i);
    }
    ends.left().await(16).forEach(done -> done.requireSuccess(done.id()));
    ends.right().await(16).forEach(done -> done.requireSuccess(done.id()));
    assertThat(leftTarget.bytes()).isEqualTo(right.bytes());
    assertThat(rightTarget.bytes()).isEqualTo(left.bytes());
  }

  @Test
  void aQueuePairCanTalkToItself(Bench bench) {
    Ends ends = bench.ends().create();
    ends.left().queuePair().connect(ends.left().queuePair().endpoint());
    Buffer source = ends.left().buffer(1 << 18).fill(1);
    Buffer target = ends.left().buffer(1 << 18);
    ends.left().receive(target, 0, 1 << 18, 5);
    ends.left().send(source, 0, 1 << 18, 1);
    assertThat(ends.left().await(2)).extracting(Done::id).containsExactlyInAnyOrder(1L, 5L);
    assertThat(target.bytes()).isEqualTo(source.bytes());
    ends.left().read(target, 0, 1 << 18, source, 0, 2);
    ends.left().awaitSuccess(2);
    ends.left().fetchAndAdd(target, 0, 1, source, 0, 3);
    ends.left().awaitSuccess(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 512, 1024, 2048, 4096})
  void everyPathMtuCarriesEveryMessage(int mtu, Bench bench) {
    Ends ends = bench.connected(options -> options.withPathMtu(mtu));
    assertThat(ends.left().queuePair().query().pathMtu()).isEqualTo(mtu);
    int size = 3 * 16 * mtu + 1;
    Transfer transfer = new Transfer(ends, size);
    transfer.expectDelivered();
    Buffer back = ends.left().buffer(size);
    ends.left().read(transfer.target(), transfer.targetOffset(), size, back, 0, 2);
    ends.left().awaitSuccess(2);
    assertThat(back.bytes()).isEqualTo(transfer.message());
  }

  @Test
  void packetSequenceNumbersWrapInTheMiddleOfAMessage(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.initialPsn(0xfffff0)).connect();
    Buffer source = ends.left().buffer(1 << 18).fill(1);
    Buffer target = ends.right().buffer(1 << 18);
    Buffer back = ends.left().buffer(1 << 18);
    Buffer word = ends.right().buffer(8);
    for (int i = 0; i < 3; i++) {
      ends.left().write(source, 0, 1 << 18, target, 0, 10L * i);
      ends.left().read(target, 0, 1 << 18, back, 0, 10L * i + 1);
      ends.left().fetchAndAdd(word, 0, 1, back, 0, 10L * i + 2);
      ends.left().awaitInOrder(3, 10L * i);
    }
    assertThat(word.getLong(0)).isEqualTo(3);
    assertThat(target.bytes()).isEqualTo(source.bytes());
    assertThat(back.bytes(8, 1000)).isEqualTo(source.bytes(8, 1000));
  }
}
