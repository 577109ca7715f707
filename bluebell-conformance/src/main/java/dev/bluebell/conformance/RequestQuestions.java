package dev.bluebell.conformance;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** What a device does with requests that are wrong, and which codes it reports. */
final class RequestQuestions {
  private static final int BYTES = 8;

  /** No client is given so small a key. */
  private static final int NOBODYS_KEY = 0x1234;

  private RequestQuestions() {}

  static List<Question> all() {
    return List.of(
        Question.of(
            "M6",
            "What does a request whose wqe_index is not its own end with?",
            "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x68",
            bench -> changed(bench, request -> set(request, 2, 5))),
        Question.of(
            "M7",
            "What does a request with the number of another queue pair end with?",
            "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
            bench -> changed(bench, request -> set(request, 4, 0x7f))),
        Question.of(
            "M7",
            "What does a request with ds 0 end with?",
            "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
            bench -> changed(bench, request -> set(request, 7, 0))),
        Question.of(
            "M7",
            "What does a request with opcode 0x3f end with, which no header names?",
            "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
            bench -> changed(bench, request -> set(request, 3, 0x3f))),
        Question.of(
            "M7",
            "What does a SEND with opmod 0x55 end with?",
            "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
            bench -> changed(bench, request -> set(request, 0, 0x55))),
        Question.of(
            "M7",
            "What does a SEND with fence mode 5 end with, which no header names?",
            "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
            bench -> changed(bench, request -> set(request, 11, 0xa0 | 0x08))),
        Question.of(
            "M9",
            "What does a compare-and-swap with a data segment of 16 bytes end with?",
            "LOCAL_LENGTH_ERROR, vendor syndrome 0x00",
            RequestQuestions::longAtomic),
        Question.of(
            "M9",
            "What does a SEND with more inline data than ds has room for end with?",
            "LOCAL_LENGTH_ERROR, vendor syndrome 0x00",
            bench -> changed(bench, request -> set(request, 19, 100))),
        Question.of(
            "M13",
            "Does a request with ce 1 that is flushed have a completion?",
            "no",
            RequestQuestions::flushedWithoutCompletion),
        Question.of(
            "M25",
            "What is byte_cnt in the completion of a WRITE of 8 bytes?",
            "0",
            RequestQuestions::countOfWrite),
        Question.of(
            "M30",
            "Is a timestamp in a completion the device clock at that time?",
            "yes",
            RequestQuestions::timestamp),
        Question.of(
            "M38",
            "What does a SEND from memory whose key does not exist end with?",
            "LOCAL_PROTECTION_ERROR, vendor syndrome 0x51",
            RequestQuestions::wrongKey),
        Question.of(
            "M38",
            "Is the key of a receive's second data segment checked when the message ends before"
                + " it?",
            "no",
            RequestQuestions::unusedKey),
        Question.of(
            "M125",
            "Where does an unsignalled READ of 8 bytes land, on a queue pair with cs_req?",
            "in memory",
            RequestQuestions::unsignalledRead),
        Question.of(
                "M134",
                "What does a copy (MMO) end with whose two segments differ in length?",
                "LOCAL_LENGTH_ERROR, vendor syndrome 0x00",
                bench -> copy(bench, true, 16))
            .needing("dma_mmo_qp"),
        Question.of(
                "M135",
                "What does a copy (MMO) end with on a queue pair without mmo?",
                "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00",
                bench -> copy(bench, false, BYTES))
            .needing("dma_mmo_qp"),
        Question.of(
                "M136",
                "What does a copy (MMO) write to the opaque memory that it names?",
                "nothing",
                RequestQuestions::opaque)
            .needing("dma_mmo_qp"));
  }

  private static void set(MemorySegment request, int offset, int value) {
    request.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
  }

  /** Changes a SEND of 8 bytes of inline data between its posting and its doorbell. */
  private static String changed(Bench bench, Consumer<MemorySegment> change) {
    Line line = new Line(bench, ConnectionKind.RC);
    line.receive(BYTES, 1);
    line.begin().send().inline(new byte[BYTES], 0, BYTES).signaled(1);
    change.accept(bench.hca().posted(line.sender().number(), 0));
    line.sender().ringDoorbell();
    return Answers.of(bench, line.sends());
  }

  private static String longAtomic(Bench bench) {
    Line line = new Line(bench, ConnectionKind.RC);
    new Forgery(line)
        .remote(line.target, 0)
        .bytes(new byte[ControlSegment.BYTES])
        .data(line.landing, 0, 2 * BYTES)
        .post(WqeOpcode.ATOMIC_CS, 0, 1);
    line.sender().ringDoorbell();
    return Answers.of(bench, line.sends());
  }

  private static String flushedWithoutCompletion(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair queuePair = ends.left().queuePair();
    queuePair.toError();
    queuePair.nop().signaled(1);
    set(bench.hca().posted(queuePair.number(), 0), 11, ControlSegment.CE_ON_FIRST_ERROR);
    queuePair.nop().signaled(2);
    queuePair.ringDoorbell();
    return Answers.next(bench, ends.left().completions())
        .map(done -> done.id() == 1 ? "yes" : "no")
        .orElse("nothing completes");
  }

  private static String countOfWrite(Bench bench) {
    Ends ends = bench.connected();
    Buffer from = ends.left().buffer(BYTES);
    ends.left().write(from, 0, BYTES, ends.right().buffer(BYTES), 0, 1);
    return Answers.next(bench, ends.left().completions())
        .map(done -> Integer.toString(done.byteCount()))
        .orElse("nothing completes");
  }

  private static String timestamp(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    RcQueuePair queuePair = bench.domain().rcQueuePair(completions).create();
    queuePair.connect(queuePair.endpoint());
    long before = bench.device().clock();
    queuePair.nop().signaled(1);
    queuePair.ringDoorbell();
    long stamp = bench.awaitView(completions).timestamp();
    bench.expectCalm(completions);
    long after = bench.device().clock();
    return stamp - before >= 0 && after - stamp >= 0
        ? "yes"
        : "no: 0x%x lies outside of 0x%x to 0x%x".formatted(stamp, before, after);
  }

  private static String wrongKey(Bench bench) {
    Ends ends = bench.connected();
    ends.right().receiveNothing(1, 1);
    ends.left().queuePair().send().gather(0, BYTES, NOBODYS_KEY).signaled(1);
    ends.left().queuePair().ringDoorbell();
    return Answers.of(bench, ends.left().completions());
  }

  private static String unusedKey(Bench bench) {
    Ends ends = bench.ends().right(plan -> plan.maxScatter(2)).connect();
    Buffer to = ends.right().buffer(BYTES);
    ends.right()
        .queuePair()
        .receive()
        .scatter(to.address(0), BYTES, to.lkey())
        .scatter(0, BYTES, NOBODYS_KEY)
        .post(1);
    ends.right().queuePair().ringReceiveDoorbell();
    ends.left().send(ends.left().buffer(BYTES), 0, BYTES, 1);
    return Answers.next(bench, ends.right().completions())
        .map(done -> done.isSuccess() ? "no" : "yes: " + Answers.of(done))
        .orElse("nothing completes");
  }

  private static String unsignalledRead(Bench bench) {
    Ends ends = bench.ends().left(plan -> plan.scatterToCqe(32)).connect();
    Buffer from = ends.right().buffer(BYTES).fill(1);
    Buffer to = ends.left().buffer(BYTES);
    RcQueuePair queuePair = ends.left().queuePair();
    queuePair
        .read(from.address(0), from.rkey())
        .scatter(to.address(0), BYTES, to.lkey())
        .unsignaled(1);
    queuePair.nop().signaled(2);
    queuePair.ringDoorbell();
    String ended = Answers.of(bench, ends.left().completions());
    if (!ended.equals("SUCCESS")) {
      return ended;
    }
    return Arrays.equals(from.bytes(), to.bytes()) ? "in memory" : "nowhere that a program sees";
  }

  private static String copy(Bench bench, boolean allowed, int bytes) {
    Line line =
        allowed
            ? new Line(bench, ConnectionKind.RC, Line.Option.COPIES)
            : new Line(bench, ConnectionKind.RC);
    new Forgery(line)
        .data(line.landing, 64, 0)
        .data(line.source, 0, BYTES)
        .data(line.landing, 0, bytes)
        .post(WqeOpcode.MMO, WqeForm.MMO_DMA, 1);
    line.sender().ringDoorbell();
    return Answers.of(bench, line.sends());
  }

  private static String opaque(Bench bench) {
    Line line = new Line(bench, ConnectionKind.RC, Line.Option.COPIES);
    byte[] before = line.landing.bytes(64, 64);
    new Forgery(line)
        .data(line.landing, 64, 0)
        .data(line.source, 0, BYTES)
        .data(line.landing, 0, BYTES)
        .post(WqeOpcode.MMO, WqeForm.MMO_DMA, 1);
    line.sender().ringDoorbell();
    String ended = Answers.of(bench, line.sends());
    if (!ended.equals("SUCCESS")) {
      return ended;
    }
    byte[] after = line.landing.bytes(64, 64);
    return Arrays.equals(before, after)
        ? "nothing"
        : "something: " + HexFormat.of().formatHex(after);
  }
}
