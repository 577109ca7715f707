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

/** Questions about the completions of invalid requests and their codes. */
final class RequestQuestions {
  private static final int BYTES = 8;

  /** Larger than any of the messages. */
  private static final int ROOM = 128;

  private static final String QP_OP_ERR = "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x00";

  private RequestQuestions() {}

  static List<Question> all() {
    return List.of(
        byteOf(
            "M6",
            "How does a request whose wqe_index is not its own complete?",
            "LOCAL_QP_OPERATION_ERROR, vendor syndrome 0x68",
            2,
            5),
        byteOf(
            "M7",
            "How does a request with the number of another queue pair complete?",
            QP_OP_ERR,
            4,
            0x7f),
        byteOf("M7", "How does a request with ds 0 complete?", QP_OP_ERR, 7, 0),
        byteOf(
            "M7",
            "How does a request with opcode 0x3f, which no header names, complete?",
            QP_OP_ERR,
            3,
            0x3f),
        byteOf("M7", "How does a SEND with opmod 0x55 complete?", QP_OP_ERR, 0, 0x55),
        byteOf(
            "M7",
            "How does a SEND with fence mode 5, which no header names, complete?",
            QP_OP_ERR,
            11,
            0xa0 | 0x08),
        Question.of(
            "M9",
            "How does a compare-and-swap with a data segment of 16 bytes complete?",
            "LOCAL_LENGTH_ERROR, vendor syndrome 0x00",
            RequestQuestions::longAtomic),
        byteOf(
            "M9",
            "How does a SEND with more inline data than ds has room for complete?",
            "LOCAL_LENGTH_ERROR, vendor syndrome 0x00",
            19,
            100),
        Question.of(
            "M13",
            "Does a request with ce 1 have a completion when it is flushed behind the first error?",
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
            "How does a SEND from memory whose key does not exist complete?",
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
                RequestQuestions::unsignalledRead)
            .needing("sctr_data_cqe"),
        Question.of(
                "M134",
                "How does a copy (MMO) complete whose two segments differ in length?",
                "LOCAL_LENGTH_ERROR, vendor syndrome 0x00",
                bench -> copy(copying(bench), 16))
            .needing("dma_mmo_qp"),
        Question.of(
                "M135",
                "How does a copy (MMO) complete on a queue pair without mmo?",
                QP_OP_ERR,
                bench -> copy(new Line(bench, ConnectionKind.RC), BYTES))
            .needing("dma_mmo_qp"),
        Question.of(
                "M136",
                "What does a copy (MMO) write to the opaque memory that it names?",
                "nothing",
                RequestQuestions::opaque)
            .needing("dma_mmo_qp"));
  }

  /** A SEND with a byte of its WQE changed. */
  private static Question byteOf(String row, String text, String software, int offset, int value) {
    return Question.of(
        row, text, software, bench -> changed(bench, request -> set(request, offset, value)));
  }

  private static void set(MemorySegment request, int offset, int value) {
    request.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
  }

  /** Changes a SEND of 8 bytes of inline data between its posting and its doorbell. */
  private static String changed(Bench bench, Consumer<MemorySegment> change) {
    Line line = new Line(bench, ConnectionKind.RC);
    line.receive(ROOM, 1);
    line.begin().send().inline(new byte[BYTES], 0, BYTES).signaled(1);
    change.accept(bench.hca().posted(line.sender().number(), 0));
    line.sender().ringDoorbell();
    String ended = Answers.of(bench, line.sends());
    return ended.equals("SUCCESS")
        ? Answers.next(bench, line.receives())
            .map(done -> "%s, %d bytes arrive".formatted(ended, done.byteCount()))
            .orElse(ended + ", nothing arrives")
        : ended;
  }

  private static String longAtomic(Bench bench) {
    Line line = new Line(bench, ConnectionKind.RC);
    new Forgery(line)
        .remote(line.target, 0)
        .bytes(new byte[ControlSegment.BYTES])
        .data(line.landing, 0, 2 * BYTES)
        .post(WqeOpcode.ATOMIC_CS, 0, 1);
    return Answers.of(line);
  }

  private static String flushedWithoutCompletion(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair queuePair = ends.left().queuePair();
    queuePair.write(0, 0).gather(0, BYTES, Answers.NOBODYS_KEY).signaled(1);
    queuePair.nop().signaled(2);
    set(bench.hca().posted(queuePair.number(), 1), 11, ControlSegment.CE_ON_FIRST_ERROR);
    queuePair.nop().signaled(3);
    queuePair.ringDoorbell();
    CompletionQueue completions = ends.left().completions();
    if (Answers.next(bench, completions).filter(done -> !done.isSuccess()).isEmpty()) {
      return "(no answer: the first request did not fail)";
    }
    return Answers.next(bench, completions)
        .map(done -> done.id() == 2 ? "yes" : "no")
        .orElse("nothing completes");
  }

  private static String countOfWrite(Bench bench) {
    Ends ends = bench.connected();
    Buffer from = ends.left().buffer(BYTES);
    ends.left().write(from, 0, BYTES, ends.right().buffer(BYTES), 0, 1);
    return Answers.next(bench, ends.left().completions())
        .map(done -> done.isSuccess() ? Integer.toString(done.byteCount()) : Answers.of(done))
        .orElse("nothing completes");
  }

  private static String timestamp(Bench bench) {
    CompletionQueue completions = bench.device().createCompletionQueue(16);
    RcQueuePair queuePair = Bench.toItself(bench.domain().rcQueuePair(completions).create());
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
    ends.left().queuePair().send().gather(0, BYTES, Answers.NOBODYS_KEY).signaled(1);
    return Answers.of(ends.left());
  }

  private static String unusedKey(Bench bench) {
    Ends ends = bench.ends().right(plan -> plan.maxScatter(2)).connect();
    Buffer to = ends.right().buffer(BYTES);
    ends.right()
        .queuePair()
        .receive()
        .scatter(to.region(), 0, BYTES)
        .scatter(0, BYTES, Answers.NOBODYS_KEY)
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
    queuePair.read(from.remote(0)).scatter(to.region(), 0, BYTES).unsignaled(1);
    queuePair.nop().signaled(2);
    queuePair.ringDoorbell();
    String ended = Answers.of(bench, ends.left().completions());
    if (!ended.equals("SUCCESS")) {
      return ended;
    }
    return Arrays.equals(from.bytes(), to.bytes()) ? "in memory" : "not in memory";
  }

  private static Line copying(Bench bench) {
    return new Line(bench, ConnectionKind.RC, Line.Option.COPIES);
  }

  private static String copy(Line line, int bytes) {
    new Forgery(line)
        .data(line.landing, 64, 0)
        .data(line.source, 0, BYTES)
        .data(line.landing, 0, bytes)
        .post(WqeOpcode.MMO, WqeForm.MMO_DMA, 1);
    return Answers.of(line);
  }

  private static String opaque(Bench bench) {
    Line line = copying(bench);
    byte[] before = line.landing.bytes(64, 64);
    String ended = copy(line, BYTES);
    if (!ended.equals("SUCCESS")) {
      return ended;
    }
    byte[] after = line.landing.bytes(64, 64);
    return Arrays.equals(before, after)
        ? "nothing"
        : "something: " + HexFormat.of().formatHex(after);
  }
}
