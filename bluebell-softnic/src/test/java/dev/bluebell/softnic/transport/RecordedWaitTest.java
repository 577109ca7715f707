package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The device executes the WAITs and SEND_ENs that DPDK's functions wrote, byte for byte but for the
 * numbers of queues. They have index 0 at any place in the queue, as for queues whose indices are
 * not checked.
 */
class RecordedWaitTest extends CrossChannels {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", ""))
          .resolve("../bluebell-hca/src/test/resources/vectors/wait_enable.json");
  private static final String REARM = "rearm.";
  private static final int REARMED = 8;
  private static final int NUMBER = 28;
  private static final int LAST_OF_LAP = 0xffff;

  private final Map<String, JsonNode> recorded = new LinkedHashMap<>();
  private final RawQp master = master();

  RecordedWaitTest() throws IOException {
    super(Rigs.open(options -> options.withWqeChecks(false)));
    new ObjectMapper()
        .readTree(FILE.toFile())
        .get("vectors")
        .forEach(vector -> recorded.put(vector.get("name").asText(), vector));
  }

  /** Writes a recorded request at the next place, with the queue numbers of this device. */
  private void put(RawQp queue, String name, int number) {
    JsonNode vector = recorded.get(name);
    byte[] bytes = HexFormat.of().parseHex(vector.get("wqebbs").get(0).get("bytes").asText());
    ByteBuffer wqebb = ByteBuffer.wrap(bytes);
    wqebb.putInt(4, queue.number() << 8 | bytes[7] & 0xff);
    if (vector.get("wqe").get("opmod").asInt() == 0) {
      wqebb.putInt(NUMBER, number);
    }
    queue.writeBytes(queue.index(), bytes);
    queue.skip(1);
  }

  private void start(RawQp queue) {
    queue.writeRecord();
    queue.ring(queue.index() - 1);
    rig.settle();
  }

  private void expectHeld() {
    rig.settle();
    assertThat(master.sends().poll()).isEmpty();
    assertThat(master.state()).isEqualTo(QpState.RTS);
  }

  /** Two queues keep each other running: one enables, the other produces completions. */
  @Test
  void theRearmQueueLetsTheClockQueueGoRoundAllIndices() {
    RawCq produced = unpolled(2);
    RawQp clock = loop(new RawQpPlan(produced).sizes(2, 3, 4).managedSends());
    for (int i = 0; i < 4; i++) {
      clock.write(Wqe.nop().index(0));
    }
    for (int i = 0; i < REARMED; i++) {
      boolean enables = i % 2 == 0;
      String name = REARM + i + (enables ? ".SEND_EN" : ".WAIT");
      put(master, name, enables ? clock.number() : produced.number());
    }
    master.write(Wqe.await(produced, LAST_OF_LAP));
    start(master);
    master.sends().poll(REARMED / 2 + 1).get(REARMED / 2).require(CqeOpcode.REQ, REARMED);
    assertThat(clock.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isZero();
  }

  /** Each SEND_EN goes half a lap beyond what the WAIT behind it waits for. */
  @Test
  void aWaitOfTheRearmQueueHoldsTheNextSendEn() {
    RawCq produced = unpolled(2);
    RawQp clock = loop(new RawQpPlan(rig.cq(6)).sizes(2, 3, 4).managedSends());
    for (int i = 0; i < 4; i++) {
      clock.write(Wqe.nop().unsignalled());
    }
    put(master, REARM + "0.SEND_EN", clock.number());
    put(master, REARM + "1.WAIT", produced.number());
    put(master, REARM + "2.SEND_EN", clock.number());
    start(master);
    master.sends().pollOne().require(CqeOpcode.REQ, 0);
    expectHeld();
    assertThat(clock.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(0x4000);
    assertThat(rig.nic().diagnosis().orElseThrow().objects().toString())
        .contains(
            "WQE 1 (WAIT) waits until CQ 0x%x has produced more than %d completions; it has produced 0"
                .formatted(produced.number(), 0x2000));
  }

  @Test
  void aWaitForAnIndexThatIsBehindByLessThanHalfHoldsNothing() {
    put(master, "tx.WAIT_CQ_PI", unpolled(2).number());
    master.write(Wqe.nop());
    start(master);
    master.sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tx.WAIT_TIME", "tx.WAIT_TIME.rt"})
  void aWaitForATimeLastsUntilTheClockHasPassedIt(String name) {
    JsonNode wqe = recorded.get(name).get("wqe");
    long time = Long.decode(wqe.get("value").asText()) & mask(wqe);
    put(master, name, 0);
    master.write(Wqe.nop());
    start(master);
    expectHeld();
    rig.pass(time);
    expectHeld();
    rig.pass(1);
    master.sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  private static long mask(JsonNode wqe) {
    return Long.parseUnsignedLong(wqe.get("mask").asText().substring(2), 16);
  }

  /** A queue whose indices are checked refuses them; DPDK's queue is not such a queue. */
  @Test
  void theRecordedRequestsAllHaveIndexZero() {
    for (int i = 0; i < REARMED; i++) {
      boolean enables = i % 2 == 0;
      JsonNode wqe = recorded.get(REARM + i + (enables ? ".SEND_EN" : ".WAIT")).get("wqe");
      assertThat(wqe.get("wqe_index").asInt()).isZero();
      assertThat(Integer.decode(wqe.get("fm_ce_se").asText()))
          .isEqualTo(enables ? ControlSegment.CE_ALWAYS : ControlSegment.CE_ON_ERROR);
    }
  }
}
