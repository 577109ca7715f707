package dev.bluebell.conformance;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DeviceCommands.QueryLagIn;
import dev.bluebell.hca.command.DeviceCommands.QueryLagOut;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CqeCompression;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Which status the firmware gives to commands that are wrong. */
final class CommandQuestions {
  private static final int PAGE_BYTES = 4096;

  /** mtu of a queue pair context, 3 bits, of which 1 … 5 stand for 256 … 4096 bytes. */
  private static final int NO_MTU = 7;

  private static final int NO_PARTITION = 0x7fff;
  private static final int NO_FORMAT = 2;
  private static final int NO_LAYOUT = 3;
  private static final int NO_INLINE = 3;

  private CommandQuestions() {}

  static List<Question> all() {
    return List.of(
        Question.of(
            "M61",
            "What does the firmware say to a CREATE_CQ that is shorter than its structure?",
            "BAD_INP_LEN",
            bench -> Answers.of(() -> bench.hca().create(shortCommand()))),
        Question.of(
            "M300",
            "What does the firmware say to INIT2RTR_QP with an mtu that is none (7)?",
            "BAD_PARAM",
            CommandQuestions::mtu),
        Question.of(
            "M306",
            "What does the firmware say to RST2INIT_QP with a pkey_index beyond the table?",
            "BAD_PARAM",
            CommandQuestions::partition),
        Question.of(
            "M127",
            "What does the firmware say to CREATE_QP with cs_res 3, which no header names?",
            "BAD_PARAM",
            CommandQuestions::inline),
        Question.of(
                "M188",
                "What does the firmware say to CREATE_DCT with cs_res 1?",
                "BAD_PARAM",
                CommandQuestions::inlineOfTarget)
            .needing("dct"),
        Question.of(
                "M210",
                "What does the firmware say to CREATE_CQ with mini_cqe_res_format 2, flow tags?",
                "BAD_PARAM",
                bench -> compressed(bench, in -> set(in, NO_FORMAT)))
            .needing("cqe_compression"),
        Question.of(
                "M210",
                "What does the firmware say to CREATE_CQ with cqe_compression_layout 3?",
                "BAD_PARAM",
                bench ->
                    compressed(
                        bench,
                        in -> {
                          View unused = in.set(Cqc.CQE_COMPRESSION_LAYOUT, NO_LAYOUT);
                        }))
            .needing("cqe_compression"),
        Question.of(
            "M302",
            "What does the firmware say to CREATE_MKEY whose translations_octword_size is too small"
                + " for its length?",
            "BAD_PARAM",
            bench -> key(bench, 12, 1, 16 * PAGE_BYTES)),
        Question.of(
            "M302",
            "What does the firmware say to CREATE_MKEY with log_page_size 0?",
            "BAD_PARAM",
            bench -> key(bench, 0, 1, PAGE_BYTES)),
        Question.of(
            "M331",
            "What does QUERY_LAG say of a device that is in no LAG?",
            "lag_state 0",
            CommandQuestions::lag),
        Question.of(
            "M464",
            "What does the firmware say to INIT2RTR_QP with a global route from an empty GID?",
            "BAD_PARAM",
            CommandQuestions::emptyGid));
  }

  /** The head of the command, and some bytes behind it. */
  private static byte[] shortCommand() {
    View whole = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
    byte[] head = new byte[32];
    System.arraycopy(whole.bytes(), 0, head, 0, head.length);
    return head;
  }

  private static String mtu(Bench bench) {
    bench
        .hca()
        .change(
            CommandOpcode.INIT2RTR_QP,
            in -> {
              View unused = in.at(Init2rtrQpIn.QPC).set(Qpc.MTU, NO_MTU);
            });
    return Answers.of(bench::connected);
  }

  private static String emptyGid(Bench bench) {
    int last = bench.device().port(1).gidTableLength() - 1;
    bench
        .hca()
        .change(
            CommandOpcode.INIT2RTR_QP,
            in -> {
              View unused =
                  in.at(Init2rtrQpIn.QPC)
                      .at(Qpc.PRIMARY_ADDRESS_PATH)
                      .set(Ads.GRH, true)
                      .set(Ads.SRC_ADDR_INDEX, last);
            });
    return Answers.of(bench::connected);
  }

  private static String partition(Bench bench) {
    bench
        .hca()
        .change(
            CommandOpcode.RST2INIT_QP,
            in -> {
              View unused =
                  in.at(Rst2initQpIn.QPC)
                      .at(Qpc.PRIMARY_ADDRESS_PATH)
                      .set(Ads.PKEY_INDEX, NO_PARTITION);
            });
    return Answers.of(bench::connected);
  }

  private static String inline(Bench bench) {
    bench
        .hca()
        .change(
            CommandOpcode.CREATE_QP,
            in -> {
              View unused = in.at(CreateQpIn.QPC).set(Qpc.CS_RES, NO_INLINE);
            });
    return Answers.of(bench::connected);
  }

  private static String inlineOfTarget(Bench bench) {
    bench
        .hca()
        .change(
            CommandOpcode.CREATE_DCT,
            in -> {
              View unused = in.at(CreateDctIn.DCT_CONTEXT_ENTRY).set(Dctc.CS_RES, Qpc.CS_RES_32);
            });
    return Answers.of(() -> new Line(bench, ConnectionKind.DC));
  }

  /** Changes the context of a completion queue. */
  private interface Change {
    void apply(View context);
  }

  private static void set(View context, int format) {
    View unused = context.set(Cqc.MINI_CQE_RES_FORMAT, format);
  }

  private static String compressed(Bench bench, Change change) {
    bench.hca().change(CommandOpcode.CREATE_CQ, in -> change.apply(in.at(CreateCqIn.CQ_CONTEXT)));
    return Answers.of(
        () ->
            bench
                .device()
                .createCompletionQueue(
                    16, CompletionQueueOptions.DEFAULT.withCompression(CqeCompression.BASIC)));
  }

  private static String key(Bench bench, int logPage, int octwords, int length) {
    MemorySegment memory = bench.hca().allocate(length);
    View command =
        View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY)
            .set(CreateMkeyIn.MKEY_UMEM_ID, bench.hca().registerUmem(memory).number())
            .set(CreateMkeyIn.MKEY_UMEM_VALID, true);
    View unused =
        command
            .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
            .set(Mkc.ACCESS_MODE_1_0, 1)
            .set(Mkc.LW, true)
            .set(Mkc.QPN, 0xffffff)
            .set(Mkc.PD, bench.domain().number())
            .set(Mkc.START_ADDR, memory.address())
            .set(Mkc.LEN, length)
            .set(Mkc.LOG_PAGE_SIZE, logPage)
            .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, octwords);
    return Answers.of(() -> bench.hca().create(command.bytes()));
  }

  private static String lag(Bench bench) {
    byte[] command = View.command(QueryLagIn.STRUCTURE, CommandOpcode.QUERY_LAG).bytes();
    View answer = View.over(bench.hca().execute(command));
    return "lag_state %d".formatted(answer.get(QueryLagOut.CTX_LAG_STATE));
  }
}
