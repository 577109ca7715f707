package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.conformance.traffic.AtomicModel;
import dev.bluebell.conformance.traffic.AtomicRequest;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.TagHeader;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.WorkOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The tests of allowed operations: each is executed, and all data is compared. On a lossy fabric,
 * messages of unreliable services arrive whole or not at all, and are repeated often enough that
 * some arrive.
 */
final class AllowedOperations {
  private static final int BYTES = 1000;
  private static final int SHORT = 28;
  private static final int LONG = 10_000;
  private static final int ATTEMPTS = 30;
  private static final int ROUNDS = 20;
  private static final int IMMEDIATE = 0x01020304;
  private static final long TAG = 7;

  private final Bench bench;
  private final ConnectionKind kind;

  private AllowedOperations(Bench bench, ConnectionKind kind) {
    this.bench = bench;
    this.kind = kind;
  }

  /** Executes the operation of a cell. */
  static void execute(OperationTable.Cell cell, Bench bench) {
    new AllowedOperations(bench, cell.kind()).execute(cell.operation());
  }

  private void execute(Operation operation) {
    switch (operation) {
      case SEND -> send(BYTES);
      case SEND_IMMEDIATE -> sendImmediate();
      case SEND_INVALIDATE -> sendInvalidate();
      case WRITE -> write(BYTES);
      case WRITE_IMMEDIATE -> writeImmediate();
      case READ -> read(line(), LONG);
      case COMPARE_AND_SWAP,
          FETCH_AND_ADD,
          MASKED_COMPARE_AND_SWAP_4,
          MASKED_COMPARE_AND_SWAP_8,
          MASKED_COMPARE_AND_SWAP_16,
          MASKED_FETCH_AND_ADD_4,
          MASKED_FETCH_AND_ADD_8,
          MASKED_FETCH_AND_ADD_16,
          AND,
          OR,
          XOR,
          SWAP ->
          operation.operandBytes().forEach(bytes -> atomics(operation.atomic(), bytes));
      case MEMORY_COPY -> copyMemory();
      case NOP -> nop();
      case RAW -> raw();
      case TAG_LIST -> tagList();
      case INLINE_SEND -> inlineSend();
      case INLINE_WRITE -> inlineWrite();
      case ZERO_SEND -> send(0);
      case ZERO_WRITE -> write(0);
      case ZERO_READ -> zeroRead();
      case LONG_SEND -> send(LONG);
      case OWN_RECEIVES, XRC_RECEIVES -> send(SHORT);
      case SHARED_RECEIVES -> messages(line(Line.Option.SHARED_RECEIVES), SHORT, plainSend(SHORT));
      case TAG_RECEIVES -> tagged();
      case STRIDING_RECEIVES -> messages(line(Line.Option.STRIDES), SHORT, plainSend(SHORT));
      case INLINE_RECEIVES -> inlineReceives();
      case INLINE_ANSWERS -> answersInCompletions();
      case CROSS_CHANNEL, INLINE_READ ->
          throw new IllegalArgumentException(operation + " is allowed nowhere");
    }
  }

  private Line line(Line.Option... options) {
    return new Line(bench, kind, options);
  }

  private int attempts(Line line) {
    return line.loses() ? ATTEMPTS : 1;
  }

  // ---- messages

  private static RequestData gather(RequestData request, Buffer from, int bytes) {
    return request.gather(from.address(1), bytes, from.lkey());
  }

  private static Function<Line, RequestModifiers> plainSend(int bytes) {
    return line -> gather(line.begin().send(), line.source, bytes);
  }

  private void send(int bytes) {
    messages(line(), bytes, plainSend(bytes));
  }

  private void messages(Line line, int bytes, Function<Line, RequestModifiers> request) {
    messages(line, bytes, request, received -> assertThat(received.hasImmediate()).isFalse());
  }

  /** Sends messages that consume a receive request. */
  private void messages(
      Line line, int bytes, Function<Line, RequestModifiers> request, Consumer<Done> check) {
    int arrived = 0;
    boolean posted = false;
    for (int i = 0; i < attempts(line); i++) {
      line.source.fill(100 + i);
      byte[] before = line.inbox.bytes();
      if (!posted) {
        line.receive(bytes, i);
        posted = true;
      }
      request.apply(line).signaled(-1 - i);
      line.awaitSend().requireSuccess(-1 - i);
      Done received = line.awaitReceive();
      if (received == null) {
        continue;
      }
      assertThat(received.isSuccess()).as(received.explanation()).isTrue();
      assertThat(received.byteCount()).isEqualTo(line.headerBytes() + bytes);
      check.accept(received);
      if (line.headerBytes() > 0) {
        System.arraycopy(line.inbox.bytes(0, line.headerBytes()), 0, before, 0, line.headerBytes());
      }
      line.inbox.expect(before, line.headerBytes(), line.source.bytes(1, bytes));
      arrived++;
      posted = false;
    }
    assertThat(arrived).isPositive();
  }

  private void sendImmediate() {
    messages(
        line(),
        BYTES,
        line -> gather(line.begin().sendImmediate(IMMEDIATE), line.source, BYTES),
        received -> assertThat(received.immediate()).isEqualTo(IMMEDIATE));
  }

  private void sendInvalidate() {
    Line line = line();
    MemoryRegion expendable = line.domain.allocate(64, Access.REMOTE_INVALIDATE);
    messages(
        line,
        BYTES,
        each -> gather(each.begin().sendInvalidate(expendable.rkey()), each.source, BYTES),
        received -> assertThat(received.hasInvalidatedRkey()).isTrue());
  }

  private void inlineSend() {
    messages(
        line(), SHORT, line -> line.begin().send().inline(line.source.bytes(1, SHORT), 0, SHORT));
  }

  // ---- writes

  private void write(int bytes) {
    writes(bytes, line -> gather(startWrite(line), line.source, bytes));
  }

  private void inlineWrite() {
    writes(SHORT, line -> startWrite(line).inline(line.source.bytes(1, SHORT), 0, SHORT));
  }

  private static RequestData startWrite(Line line) {
    return line.begin().write(line.target.address(3), line.target.rkey());
  }

  private void writes(int bytes, Function<Line, RequestModifiers> request) {
    Line line = line();
    int arrived = 0;
    for (int i = 0; i < attempts(line); i++) {
      byte[] before = line.target.bytes();
      line.source.fill(100 + i);
      request.apply(line).signaled(i);
      line.awaitSend().requireSuccess(i);
      byte[] after = before.clone();
      System.arraycopy(line.source.bytes(1, bytes), 0, after, 3, bytes);
      if (line.loses()) {
        bench.expectCalm(line.receives());
        if (Arrays.equals(line.target.bytes(), before)) {
          continue;
        }
      } else {
        bench.until(() -> Arrays.equals(line.target.bytes(), after), () -> "the bytes of a WRITE");
      }
      assertThat(line.target.bytes()).isEqualTo(after);
      arrived++;
    }
    assertThat(bytes == 0 || arrived > 0).isTrue();
  }

  private void writeImmediate() {
    Line line = line();
    int arrived = 0;
    boolean posted = false;
    for (int i = 0; i < attempts(line); i++) {
      byte[] before = line.target.bytes();
      line.source.fill(100 + i);
      if (!posted) {
        line.receive(0, i);
        posted = true;
      }
      gather(
              line.begin().writeImmediate(line.target.address(3), line.target.rkey(), IMMEDIATE),
              line.source,
              BYTES)
          .signaled(-1 - i);
      line.awaitSend().requireSuccess(-1 - i);
      Done received = line.awaitReceive();
      if (received == null) {
        line.target.expect(before, 0, new byte[0]);
        continue;
      }
      assertThat(received.isSuccess()).as(received.explanation()).isTrue();
      assertThat(received.opcode()).isEqualTo(WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
      assertThat(received.immediate()).isEqualTo(IMMEDIATE);
      assertThat(received.byteCount()).isEqualTo(BYTES);
      line.target.expect(before, 3, line.source.bytes(1, BYTES));
      arrived++;
      posted = false;
    }
    assertThat(arrived).isPositive();
  }

  // ---- operations with answers

  private static void read(Line line, int bytes) {
    byte[] before = line.landing.bytes();
    line.begin()
        .read(line.target.address(1), line.target.rkey())
        .scatter(line.landing.address(3), bytes, line.landing.lkey())
        .signaled(1);
    Done done = line.awaitSend().requireSuccess(1);
    assertThat(done.byteCount()).isEqualTo(bytes);
    line.landing.expect(before, 3, line.target.bytes(1, bytes));
  }

  private void zeroRead() {
    Line line = line();
    line.begin().read(line.target.address(1), line.target.rkey()).nowhere().signaled(1);
    assertThat(line.awaitSend().requireSuccess(1).byteCount()).isZero();
  }

  /** The driver requests it only on RC; elsewhere, the CQE is inspected without polling. */
  private void answersInCompletions() {
    if (kind.service() == ServiceType.RC) {
      Line line = line(Line.Option.INLINE_ANSWERS);
      read(line, SHORT);
      expectInside(line.target.bytes(1, SHORT));
      return;
    }
    bench.hca().changeQueuePairs(Qpc.CS_REQ, Qpc.CS_REQ_32);
    Line line = line();
    byte[] before = line.landing.bytes();
    line.begin()
        .read(line.target.address(1), line.target.rkey())
        .scatter(line.landing.address(3), SHORT, line.landing.lkey())
        .signaled(1);
    line.sender().ringDoorbell();
    byte[] data = line.target.bytes(1, SHORT);
    bench.until(() -> bench.hca().count(data) == 2, () -> "the data inside a completion");
    assertThat(line.landing.bytes()).isEqualTo(before);
  }

  private void inlineReceives() {
    bench
        .hca()
        .change(
            CommandOpcode.CREATE_DCT,
            in -> in.at(CreateDctIn.DCT_CONTEXT_ENTRY).set(Dctc.CS_RES, Qpc.CS_RES_64));
    Line line = line(Line.Option.INLINE_RECEIVES);
    messages(line, SHORT, plainSend(SHORT));
    expectInside(line.source.bytes(1, SHORT));
  }

  /** Expects the data in the completion, from which the driver copied it, and at both ends. */
  private void expectInside(byte[] data) {
    assertThat(bench.hca().count(data)).isEqualTo(3);
  }

  private void atomics(AtomicRequest.Kind kind, int bytes) {
    assumeTrue(
        !kind.isMasked() || (bench.device().attributes().maskedAtomicSizes() & bytes) != 0,
        () -> "the device does not have masked atomics of %d bytes".formatted(bytes));
    Line line = line();
    Buffer target = line.target;
    AtomicModel model = new AtomicModel(bytes);
    Random random = new Random(bytes);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] targetBefore = target.bytes();
      byte[] landingBefore = line.landing.bytes();
      BigInteger memory = model.ofMemory(target.bytes(0, bytes));
      AtomicRequest request =
          AtomicRequest.of(kind, bytes, random, memory, target.address(0), target.rkey());
      request
          .stages()
          .apply(line.begin())
          .scatter(line.landing.address(16), line.landing.lkey())
          .signaled(i);
      Done done = line.awaitSend().requireSuccess(i);
      assertThat(done.byteCount()).isEqualTo(bytes);
      line.landing.expect(landingBefore, 16, model.toResult(memory));
      target.expect(targetBefore, 0, model.toMemory(request.effect().apply(memory)));
    }
  }

  // ---- local operations

  private void copyMemory() {
    Line line = line(Line.Option.COPIES);
    byte[] before = line.landing.bytes();
    MemoryRegion from = line.source.region();
    MemoryRegion to = line.landing.region();
    switch (line.sender()) {
      case RcQueuePair rc -> rc.copyMemory(from, 1, to, 3, LONG).signaled(1);
      case DcInitiator dc -> dc.copyMemory(from, 1, to, 3, LONG).signaled(1);
      case DcStreamInitiator streams ->
          streams.stream(1).copyMemory(from, 1, to, 3, LONG).signaled(1);
      default -> throw new AssertionError(line.sender() + " copies no memory");
    }
    line.awaitSend().requireSuccess(1);
    line.landing.expect(before, 3, line.source.bytes(1, LONG));
  }

  private void nop() {
    bench.hca().buildInRings();
    Line line = line();
    if (Operation.NOP.verdict(kind) == Verdict.YES) {
      line.ordered().nop().signaled(1);
    } else {
      new Forgery(line).post(WqeOpcode.NOP, 0, 1);
    }
    line.awaitSend().requireSuccess(1);
    bench.expectCalm(line.receives());
  }

  /** Posts the copy of a request that the driver wrote. */
  private void raw() {
    bench.hca().buildInRings();
    Line line = line();
    plainSend(SHORT).apply(line).signaled(0);
    MemorySegment written = bench.hca().posted(line.sender().number(), 0);
    MemorySegment copy = MemorySegment.ofArray(written.toArray(ValueLayout.JAVA_BYTE));
    // An unreliable service drops messages without a receive request.
    if (kind.isReliable()) {
      line.receive(SHORT, 0);
      line.awaitSend().requireSuccess(0);
      bench.await(line.receives(), 1).getFirst().requireSuccess(0);
    } else {
      line.awaitSend().requireSuccess(0);
      bench.expectCalm(line.receives());
    }
    messages(line, SHORT, each -> each.ordered().raw(copy));
  }

  // ---- tags

  private void tagList() {
    Line line = line(Line.Option.TAGS);
    TagMatchingReceiveQueue tags = line.tags();
    int handle = add(tags, line);
    assertThat(tags.remove(handle, 2)).isTrue();
    tags.ringDoorbell();
    Done removed = bench.await(line.receives(), 1).getFirst().requireSuccess(2);
    assertThat(removed.opcode()).isEqualTo(WorkOpcode.TAG_REMOVE);
    assertThat(tags.exactFreeTags()).isEqualTo(tags.tags());
  }

  private int add(TagMatchingReceiveQueue tags, Line line) {
    int handle =
        tags.add(TAG, -1).scatter(line.inbox.address(0), BYTES, line.inbox.lkey()).signaled(1, 10);
    tags.ringDoorbell();
    Done added = bench.await(line.receives(), 1).getFirst().requireSuccess(1);
    assertThat(added.opcode()).isEqualTo(WorkOpcode.TAG_ADD);
    return handle;
  }

  private void tagged() {
    Line line = line(Line.Option.TAGS);
    int unused = add(line.tags(), line);
    byte[] before = line.inbox.bytes();
    TagHeader.eager(line.source.region().segment(), 0, TAG, 0);
    line.begin()
        .send()
        .gather(line.source.address(0), TagHeader.BYTES + BYTES, line.source.lkey())
        .signaled(3);
    line.awaitSend().requireSuccess(3);
    Done received = bench.await(line.receives(), 1).getFirst().requireSuccess(10);
    assertThat(received.opcode()).isEqualTo(WorkOpcode.RECEIVE_WITH_TAG);
    assertThat(received.byteCount()).isEqualTo(BYTES);
    line.inbox.expect(before, 0, line.source.bytes(TagHeader.BYTES, BYTES));
  }
}
