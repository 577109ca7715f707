package dev.bluebell.report.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Related entries of a flight record are found, whichever entries are missing. */
class TimelineTest {
  private final List<HcaHappening> record = new ArrayList<>();

  private TimelineTest add(long nanos, int kind, int qpn, int index, int detail) {
    return add(nanos, kind, qpn, index, detail, null);
  }

  private TimelineTest add(long nanos, int kind, int qpn, int index, int detail, String text) {
    record.add(new HcaHappening(nanos, kind, qpn, index, detail, text));
    return this;
  }

  private TimelineTest fetched(long nanos, int index) {
    return add(nanos, HcaHappening.FETCHED, 0x40, index, WqeOpcode.SEND);
  }

  private TimelineTest failed(long nanos, int index, int opcode, int syndrome) {
    return add(nanos, HcaHappening.COMPLETED, 0x40, index, opcode << 8 | syndrome);
  }

  @Test
  void aDoorbellBelongsToTheRequestsUpToItsIndexEvenIfItWraps() {
    add(1, HcaHappening.DOORBELL, 0x40, 0xffff, 0);
    add(2, HcaHappening.DOORBELL, 0x40, 1, 0);
    fetched(3, 0xfffe).fetched(4, 0xffff).fetched(5, 0);
    assertThat(Timeline.of(record).requests())
        .extracting(request -> request.doorbell().nanos())
        .containsExactly(1L, 2L, 2L);
  }

  @Test
  void aCompletionEndsAllEarlierRequests() {
    fetched(1, 0).fetched(2, 1).fetched(3, 2);
    add(9, HcaHappening.COMPLETED, 0x40, 1, CqeOpcode.REQ << 8);
    Timeline timeline = Timeline.of(record);
    assertThat(timeline.requests()).extracting(timeline::endOf).containsExactly(9L, 9L, 9L);
    assertThat(timeline.requests())
        .extracting(request -> request.end() != null)
        .containsExactly(true, true, false);
    assertThat(timeline.requests())
        .extracting(request -> request.completion() != null)
        .containsExactly(false, true, false);
  }

  @Test
  void aReceiveCompletionBelongsToTheMessageDeliveredWithIt() {
    fetched(1, 0);
    add(5, HcaHappening.COMPLETED, 0x41, 7, CqeOpcode.RESP_SEND << 8);
    add(5, HcaHappening.DELIVERED, 0x41, 0, 0x40);
    add(6, HcaHappening.COMPLETED, 0x41, 8, CqeOpcode.RESP_SEND << 8);
    Request request = Timeline.of(record).requests().getFirst();
    assertThat(request.receipt().happening().index()).isEqualTo(7);
    assertThat(request.flow())
        .extracting(moment -> moment.happening().kind())
        .containsExactly(HcaHappening.FETCHED, HcaHappening.DELIVERED, HcaHappening.COMPLETED);
  }

  @Test
  void eventsOfOverwrittenRequestsBelongToNoRequest() {
    add(1, HcaHappening.COMPLETED, 0x40, 3, CqeOpcode.REQ << 8);
    add(2, HcaHappening.DELIVERED, 0x41, 4, 0x40);
    Timeline timeline = Timeline.of(record);
    assertThat(timeline.requests()).isEmpty();
    assertThat(timeline.moments()).hasSize(2);
  }

  @Test
  void aFailureHasItsRequestAndCountsTheFlushedOnes() {
    fetched(1, 0).fetched(2, 1).fetched(3, 2);
    add(4, HcaHappening.FAILED, 0x40, 0, 0, "the WQE");
    failed(4, 0, CqeOpcode.REQ_ERR, Syndrome.LOCAL_PROT_ERR);
    add(4, HcaHappening.EXPLAINED, 0x40, 0, 0, "why");
    add(4, HcaHappening.STATE, 0x40, 0, QpState.ERR);
    failed(5, 1, CqeOpcode.REQ_ERR, Syndrome.WR_FLUSH_ERR);
    failed(5, 2, CqeOpcode.REQ_ERR, Syndrome.WR_FLUSH_ERR);
    List<Failure> failures = Timeline.of(record).failures();
    assertThat(failures).hasSize(1);
    assertThat(failures.getFirst().wqe()).isEqualTo("the WQE");
    assertThat(failures.getFirst().completion().explanation()).isEqualTo("why");
    assertThat(failures.getFirst().flushed()).isEqualTo(2);
  }

  @Test
  void aFlushedRequestSaysThatItWasFlushedAndWhy() {
    fetched(1, 0).fetched(2, 1);
    failed(4, 0, CqeOpcode.REQ_ERR, Syndrome.LOCAL_PROT_ERR);
    add(4, HcaHappening.EXPLAINED, 0x40, 0, 0, "why");
    failed(5, 1, CqeOpcode.REQ_ERR, Syndrome.WR_FLUSH_ERR);
    assertThat(Timeline.of(record).requests())
        .extracting(request -> request.completion().explanation())
        .containsExactly("why", "flushed, because QP 0x40 was in the error state: why");
  }

  @Test
  void theReasonOfAFlushIsTheReasonOfTheNext() {
    fetched(1, 0).fetched(2, 1);
    failed(4, 0, CqeOpcode.REQ_ERR, Syndrome.WR_FLUSH_ERR);
    add(4, HcaHappening.EXPLAINED, 0x40, 0, 0, "flushed, because QP 0x40 is in ERR: why");
    failed(5, 1, CqeOpcode.REQ_ERR, Syndrome.WR_FLUSH_ERR);
    assertThat(Timeline.of(record).requests())
        .extracting(request -> request.completion().explanation())
        .containsOnly("flushed, because QP 0x40 is in ERR: why");
  }

  @Test
  void aFailedReceiveHasNoWqeAndAFlushAloneIsAFailure() {
    add(1, HcaHappening.FAILED, 0x40, 7, 0, "the WQE of a send");
    failed(2, 7, CqeOpcode.RESP_ERR, Syndrome.LOCAL_LENGTH_ERR);
    add(3, HcaHappening.STATE, 0x40, 0, QpState.RST);
    failed(4, 8, CqeOpcode.RESP_ERR, Syndrome.WR_FLUSH_ERR);
    List<Failure> failures = Timeline.of(record).failures();
    assertThat(failures).extracting(Failure::wqe).containsExactly(null, null);
    assertThat(failures).extracting(Failure::flushed).containsExactly(0, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {QpState.RST, QpState.INIT})
  void aResetOrDestroyedQueuePairTakesNothingIntoItsNextLife(int state) {
    add(1, HcaHappening.DOORBELL, 0x40, 5, 0);
    fetched(2, 0).fetched(3, 1);
    failed(4, 0, CqeOpcode.REQ_ERR, Syndrome.LOCAL_PROT_ERR);
    add(4, HcaHappening.EXPLAINED, 0x40, 0, 0, "why");
    add(5, HcaHappening.STATE, 0x40, 0, state);
    fetched(6, 0);
    failed(7, 0, CqeOpcode.REQ_ERR, Syndrome.WR_FLUSH_ERR);
    Timeline timeline = Timeline.of(record);
    assertThat(timeline.requests()).extracting(timeline::endOf).containsExactly(4L, 5L, 7L);
    assertThat(timeline.requests().getLast().doorbell()).isNull();
    assertThat(timeline.requests().getLast().completion().explanation()).isNull();
  }

  @Test
  void aQueuePairHasItsLatestPeerAndConnectingIsNoMoment() {
    add(1, HcaHappening.CONNECTED, 0x41, 1, 0x40, "RC");
    add(1, HcaHappening.CONNECTED, 0x40, 1, 0x41, "RC");
    add(2, HcaHappening.CONNECTED, 0x40, 1, 0x42, "RC");
    Timeline timeline = Timeline.of(record);
    assertThat(timeline.connections().values())
        .extracting(HcaHappening::detail)
        .containsExactly(0x42, 0x40);
    assertThat(timeline.moments()).isEmpty();
  }
}
