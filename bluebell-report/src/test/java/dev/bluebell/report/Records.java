package dev.bluebell.report;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.ArrayList;
import java.util.List;

/** Flight records in the format that devices write. */
final class Records {
  static final String WHY =
      "QP 0x40 send WQE 0 (opcode RDMA_WRITE, ds 3): the responder refused it: QP 0x41 refused the"
          + " request at PSN 0x000007: rkey 0x115b has the tag 0x5b, but the memory key with this"
          + " index is 0x1101";

  static final String WQE =
      """
      wqe {
        ctrl opcode=RDMA_WRITE index=0 qpn=0x000040 ds=3 ce=always
        raddr address=0x00007f0000001000 rkey=0x0000115b
        data byte_count=64 lkey=0x00001001 address=0x00007f0000002000
      }
      """;

  private static final int CONNECTIONS = 8;
  private static final int FIRST = 0x40;

  private Records() {}

  /** A refused WRITE, and two flushed requests after it. */
  static List<HcaHappening> refused() {
    List<HcaHappening> record = new ArrayList<>();
    record.add(connected(0, FIRST, FIRST + 1));
    record.add(connected(0, FIRST + 1, FIRST));
    record.add(happening(1_000, HcaHappening.DOORBELL, FIRST, 3, 0, null));
    for (int index = 0; index < 3; index++) {
      record.add(fetched(1_200 + 50L * index, FIRST, index));
    }
    record.add(happening(3_000, HcaHappening.FAILED, FIRST, 0, 0, WQE));
    record.add(failed(3_000, FIRST, 0, Syndrome.REMOTE_ACCESS_ERR));
    record.add(happening(3_000, HcaHappening.EXPLAINED, FIRST, 0, 0, WHY));
    record.add(failed(3_010, FIRST, 1, Syndrome.WR_FLUSH_ERR));
    record.add(failed(3_010, FIRST, 2, Syndrome.WR_FLUSH_ERR));
    return record;
  }

  /**
   * Requests on eight connections, eight outstanding on each, which complete after 2 µs.
   *
   * @param events approximate number of entries
   */
  static List<HcaHappening> busy(int events) {
    List<HcaHappening> record = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      record.add(connected(0, FIRST + 2 * i, FIRST + 2 * i + 1));
      record.add(connected(0, FIRST + 2 * i + 1, FIRST + 2 * i));
    }
    for (int round = 0; record.size() < events; round++) {
      for (int i = 0; i < CONNECTIONS; i++) {
        long nanos = 2_000L * round + 37L * i;
        int qpn = FIRST + 2 * i;
        record.add(happening(nanos, HcaHappening.DOORBELL, qpn, 8 * round + 8, 0, null));
        for (int k = 0; k < 8; k++) {
          int index = 8 * round + k & 0xffff;
          record.add(fetched(nanos + 100 + 20L * k, qpn, index));
          record.add(
              happening(nanos + 900 + 20L * k, HcaHappening.DELIVERED, qpn + 1, index, qpn, null));
          record.add(
              happening(
                  nanos + 1_500 + 20L * k,
                  HcaHappening.COMPLETED,
                  qpn,
                  index,
                  CqeOpcode.REQ << 8,
                  "cqe {\n  REQ wqe_counter=%d\n}\n".formatted(index)));
        }
      }
    }
    record.addAll(
        refused().stream()
            .filter(happening -> happening.kind() != HcaHappening.CONNECTED)
            .map(happening -> later(happening, record.getLast().nanos()))
            .toList());
    return record;
  }

  private static HcaHappening later(HcaHappening happening, long nanos) {
    return happening(
        happening.nanos() + nanos,
        happening.kind(),
        happening.number(),
        happening.index(),
        happening.detail(),
        happening.text());
  }

  private static HcaHappening connected(long nanos, int qpn, int peer) {
    return happening(
        nanos, HcaHappening.CONNECTED, qpn, 1, peer, "RC 0000:0000:0000:0000:0000:ffff:7f00:0001");
  }

  private static HcaHappening fetched(long nanos, int qpn, int index) {
    return happening(
        nanos,
        HcaHappening.FETCHED,
        qpn,
        index,
        WqeOpcode.RDMA_WRITE,
        WQE.replace("index=0", "index=" + index).replace("0x000040", "0x%06x".formatted(qpn)));
  }

  private static HcaHappening failed(long nanos, int qpn, int index, int syndrome) {
    return happening(
        nanos, HcaHappening.COMPLETED, qpn, index, CqeOpcode.REQ_ERR << 8 | syndrome, null);
  }

  static HcaHappening happening(
      long nanos, int kind, int number, int index, int detail, String text) {
    return new HcaHappening(nanos, kind, number, index, detail, text);
  }
}
