package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.conformance.traffic.AtomicRequest;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The tests of forbidden operations, which bypass the driver where its types prevent them: the
 * device refuses, names the reason, and changes no memory.
 */
final class ForbiddenOperations {
  private static final int BYTES = 8;
  private static final long ID = 77;

  private final Bench bench;
  private final ConnectionKind kind;

  private ForbiddenOperations(Bench bench, ConnectionKind kind) {
    this.bench = bench;
    this.kind = kind;
  }

  /** Tries the operation of a cell. */
  static void expectRefused(OperationTable.Cell cell, Bench bench) {
    new ForbiddenOperations(bench, cell.kind()).expectRefused(cell.operation());
  }

  private void expectRefused(Operation operation) {
    switch (operation) {
      case SEND_INVALIDATE -> forge(ForbiddenOperations::data, WqeOpcode.SEND_INVAL, 0);
      case WRITE, ZERO_WRITE -> forge(ForbiddenOperations::remote, WqeOpcode.RDMA_WRITE, 0);
      case WRITE_IMMEDIATE -> forge(ForbiddenOperations::remote, WqeOpcode.RDMA_WRITE_IMM, 0);
      case INLINE_WRITE -> forge(ForbiddenOperations::remoteInline, WqeOpcode.RDMA_WRITE, 0);
      case READ, ZERO_READ -> forge(ForbiddenOperations::remote, WqeOpcode.RDMA_READ, 0);
      case INLINE_READ ->
          forge(
              ForbiddenOperations::remoteInline,
              WqeOpcode.RDMA_READ,
              0,
              kind.isReliable(),
              "marks inline data");
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
          operation.operandBytes().forEach(bytes -> atomic(operation.atomic(), bytes));
      case MEMORY_COPY -> copyMemory();
      case TAG_LIST -> tagList();
      case CROSS_CHANNEL -> crossChannel();
      case LONG_SEND -> longDatagram();
      case RAW -> assertThat(kind.hasStages("raw")).isFalse();
      case OWN_RECEIVES -> refused(Qpc.RQ_TYPE, Qpc.RQ_TYPE_REGULAR, "rq_type 0");
      case SHARED_RECEIVES -> named(bench.domain().sharedReceiveQueue().create().number());
      case XRC_RECEIVES -> xrcReceives();
      case TAG_RECEIVES -> tagReceives();
      case STRIDING_RECEIVES -> striding();
      case INLINE_RECEIVES -> refused(Qpc.CS_RES, Qpc.CS_RES_32, "cs_res 1");
      case INLINE_ANSWERS -> refused(Qpc.CS_REQ, Qpc.CS_REQ_32, "cs_req 0x11");
      case SEND, SEND_IMMEDIATE, NOP, INLINE_SEND, ZERO_SEND ->
          throw new IllegalArgumentException(operation + " is forbidden nowhere");
    }
  }

  // ---- requests that the device does not execute

  /** Adds the segments of a request. */
  private interface Segments {
    Forgery add(Line line, Forgery forgery);
  }

  private static Forgery data(Line line, Forgery forgery) {
    return forgery.data(line.landing, 0, BYTES);
  }

  private static Forgery remote(Line line, Forgery forgery) {
    return forgery.remote(line.target, 0).data(line.landing, 0, BYTES);
  }

  private static Forgery remoteInline(Line line, Forgery forgery) {
    byte[] inline = new byte[ControlSegment.BYTES];
    ByteBuffer.wrap(inline).putInt(InlineSegment.header(BYTES));
    return forgery.remote(line.target, 0).bytes(inline);
  }

  /** Posts a request whose opcode or opmod the service does not have. */
  private void forge(Segments segments, int opcode, int opmod) {
    forge(
        segments,
        opcode,
        opmod,
        "opcode " + WqeOpcode.name(opcode) + " is not supported by",
        kind.service().toString());
  }

  /** Posts a request that the service may have, but this queue pair refuses for its own reason. */
  private void forge(
      Segments segments, int opcode, int opmod, boolean isOfService, String fragment) {
    if (isOfService) {
      forge(segments, opcode, opmod, fragment);
    } else {
      forge(segments, opcode, opmod);
    }
  }

  private void forge(Segments segments, int opcode, int opmod, String... fragments) {
    bench.hca().buildInRings();
    Line line = new Line(bench, kind);
    line.receive(BYTES, 1);
    byte[] target = line.target.bytes();
    byte[] landing = line.landing.bytes();
    byte[] inbox = line.inbox.bytes();
    segments.add(line, new Forgery(line)).post(opcode, opmod, ID);
    expectDriverRefuses(line, opcode, opmod);
    line.awaitSend()
        .require(ID, CompletionStatus.LOCAL_QP_OPERATION_ERROR)
        .requireExplained(bench, (Object[]) fragments);
    bench.expectCalm(line.receives());
    assertThat(line.target.bytes()).isEqualTo(target);
    assertThat(line.landing.bytes()).isEqualTo(landing);
    assertThat(line.inbox.bytes()).isEqualTo(inbox);
  }

  /** Expects that the driver also rejects a raw request that the service does not have. */
  private void expectDriverRefuses(Line line, int opcode, int opmod) {
    if (!kind.hasStages("raw") || WqeForm.of(kind.service(), opcode, opmod) != null) {
      return;
    }
    MemorySegment entry = bench.hca().posted(line.sender().number(), 0);
    MemorySegment copy = MemorySegment.ofArray(entry.toArray(ValueLayout.JAVA_BYTE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> line.ordered().raw(copy).signaled(1))
        .withMessageContaining(WqeOpcode.name(opcode))
        .withMessageContaining(kind.service().toString());
  }

  private void atomic(AtomicRequest.Kind atomic, int bytes) {
    AtomicRequest request =
        AtomicRequest.of(atomic, bytes, new Random(bytes), BigInteger.ZERO, 0, 0);
    forge(
        (line, forgery) ->
            forgery.remote(line.target, 0).bytes(request.operands()).data(line.landing, 0, bytes),
        request.opcode(),
        request.opmod());
  }

  private void copyMemory() {
    Segments segments =
        (line, forgery) ->
            forgery
                .data(line.landing, 64, 0)
                .data(line.source, 0, BYTES)
                .data(line.landing, 0, BYTES);
    forge(segments, WqeOpcode.MMO, WqeForm.MMO_DMA, kind.service() == ServiceType.RC, "mmo");
  }

  private void tagList() {
    Segments append =
        (line, forgery) ->
            forgery
                .bytes(ByteBuffer.allocate(TagMatchingSegment.BYTES).put(0, (byte) 0x10).array())
                .data(line.landing, 0, BYTES);
    forge(
        append,
        WqeOpcode.TAG_MATCHING,
        0,
        kind.service() == ServiceType.RC,
        "does not receive from a tag-matching queue");
  }

  private void crossChannel() {
    for (int opcode : new int[] {WqeOpcode.WAIT, WqeOpcode.SEND_EN, WqeOpcode.RECV_EN}) {
      forge((line, forgery) -> forgery.bytes(new byte[QueueSegment.BYTES]), opcode, 0, "cd_master");
    }
  }

  private void longDatagram() {
    Line line = new Line(bench, kind);
    line.receive(BYTES, 1);
    line.begin().send().gather(line.source.address(0), 10_000, line.source.lkey()).signaled(ID);
    line.awaitSend()
        .require(ID, CompletionStatus.LOCAL_LENGTH_ERROR)
        .requireExplained(bench, "10000", "(mtu)");
    bench.expectCalm(line.receives());
  }

  // ---- queues that the device does not create, or does not find

  /** Expects that creating a queue pair with this value fails with a message about it. */
  private void refused(Field field, int value, String fragment) {
    bench.hca().changeQueuePairs(field, value);
    expectNoLine(fragment);
  }

  private void expectNoLine(String fragment, Line.Option... options) {
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> new Line(bench, kind, options))
        .withMessageContaining(bench.explains() ? fragment : "");
  }

  /** Expects that a receiving end can't be created with this queue, which has the wrong kind. */
  private void refusedReceives(int number) {
    if (kind.service() == ServiceType.DCI) {
      bench
          .hca()
          .change(
              CommandOpcode.CREATE_DCT,
              in -> in.at(CreateDctIn.DCT_CONTEXT_ENTRY).set(Dctc.SRQN_XRQN, number));
      expectNoLine("srqn_xrqn");
      return;
    }
    bench
        .hca()
        .change(
            CommandOpcode.CREATE_QP,
            in -> {
              View qpc = in.at(CreateQpIn.QPC);
              if (qpc.getInt(Qpc.RQ_TYPE) == Qpc.RQ_TYPE_SHARED) {
                qpc.set(Qpc.SRQN_RMPN_XRQN, number);
              }
            });
    expectNoLine("srqn_rmpn_xrqn", Line.Option.SHARED_RECEIVES);
  }

  /** Names a queue that is not an XRC SRQ in an XRC request. */
  private void named(int number) {
    Line line = new Line(bench, kind);
    ((XrcInitiator) line.sender())
        .toSharedReceives(number)
        .send()
        .gather(line.source.address(0), BYTES, line.source.lkey())
        .signaled(ID);
    Done done = line.awaitSend();
    // A NAK is sent only once, and may be lost.
    if (!bench.loses() || done.status() != CompletionStatus.RETRY_EXCEEDED) {
      done.require(ID, CompletionStatus.REMOTE_ACCESS_ERROR)
          .requireExplained(bench, "0x" + Integer.toHexString(number));
    }
    bench.expectCalm(line.receives());
  }

  private void xrcReceives() {
    XrcDomain xrcDomain = bench.device().allocateXrcDomain();
    CompletionQueue completions = bench.device().createCompletionQueue(1);
    refusedReceives(bench.domain().xrcSharedReceiveQueue(xrcDomain, completions).create().number());
  }

  private void tagReceives() {
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    int number = bench.domain().tagMatchingReceiveQueue(completions).create().number();
    if (kind == ConnectionKind.XRC) {
      named(number);
    } else {
      refusedReceives(number);
    }
  }

  private void striding() {
    bench
        .hca()
        .change(
            CommandOpcode.CREATE_RMP,
            in ->
                in.at(CreateRmpIn.CTX)
                    .at(Rmpc.WQ)
                    .set(Wq.WQ_TYPE, Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ));
    if (kind == ConnectionKind.XRC) {
      named(bench.domain().sharedReceiveQueue().create().number());
    } else {
      expectNoLine("wq_type", Line.Option.SHARED_RECEIVES);
    }
  }
}
