package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Messages of every length, including 0, fill the entries of a receive in order: for each service,
 * with a receive queue of its own and with a pool.
 */
class ReceiveListTest {
  private static final int UD = 2;
  private static final int HEADER = 40;
  private static final int[] LENGTHS = {45, 7, 50};

  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(256).fill(8);
  private final RawMemory target = rig.memory(256);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  // The entries lie in the target from its end to its beginning.
  private long place(int entry) {
    return 192 - 64L * entry;
  }

  private void writeList(long at) {
    for (int i = 0; i < LENGTHS.length; i++) {
      Memory.putLong(at + 16L * i, DataSegment.first(LENGTHS[i], target.key()));
      Memory.putLong(at + 16L * i + 8, target.address(place(i)));
    }
  }

  private byte[] received(int bytes) {
    byte[] all = new byte[0];
    for (int i = 0; i < LENGTHS.length; i++) {
      byte[] piece = target.bytes(place(i), LENGTHS[i]);
      int before = all.length;
      all = Arrays.copyOf(all, before + piece.length);
      System.arraycopy(piece, 0, all, before, piece.length);
    }
    for (int i = bytes; i < all.length; i++) {
      assertThat(all[i]).as("byte %d behind the message", i).isZero();
    }
    return Arrays.copyOf(all, bytes);
  }

  private RawQp receiver(int service, boolean pooled) {
    RawQpPlan plan = new RawQpPlan(rig.cq(4)).service(service).sizes(4, 2, 6);
    if (pooled) {
      RawPool pool = new RawPool(rig, true, 2);
      pool.write(0, 1, 0, 1, 0);
      writeList(pool.segments(0));
      pool.post(1);
      return rig.qp(plan.pool(pool));
    }
    RawQp qp = rig.qp(plan);
    writeList(qp.receiveWqe(0));
    Memory.putLong(qp.receiveWqe(0) + 48, DataSegment.first(0, DataSegment.INVALID_LKEY));
    Memory.putLong(qp.receiveWqe(0) + 56, 0);
    return qp;
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, 0",
    "0, false, 1",
    "0, false, 45",
    "0, false, 46",
    "0, false, 52",
    "0, false, 102",
    "0, true, 0",
    "0, true, 1",
    "0, true, 53",
    "0, true, 102",
    "1, false, 0",
    "1, false, 45",
    "1, false, 53",
    "1, true, 0",
    "1, true, 102",
    "2, false, 0",
    "2, false, 5",
    "2, false, 12",
    "2, false, 62",
    "2, true, 0",
    "2, true, 13"
  })
  void aMessageFillsTheEntriesInTheirOrder(int service, boolean pooled, int bytes) {
    RawQp sender = rig.qp(new RawQpPlan(rig.cq(4)).service(service));
    RawQp receiver = receiver(service, pooled);
    sender.connect(receiver.number(), new Settings());
    receiver.connect(sender.number(), new Settings());
    if (!pooled) {
      receiver.writeReceiveRecord(1);
    }
    Wqe message =
        service == UD
            ? Wqe.datagram(
                WqeOpcode.SEND,
                receiver.number(),
                0x11111111,
                Addresses.LINK_LOCAL,
                Addresses.gid(Addresses.LINK_LOCAL))
            : Wqe.send();
    sender.post(message.data(source, 0, bytes));
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    RawCqe done = receiver.receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    int header = service == UD ? HEADER : 0;
    assertThat(done.byteCount()).isEqualTo(header + bytes);
    byte[] all = received(header + bytes);
    assertThat(Arrays.copyOfRange(all, header, all.length)).isEqualTo(source.bytes(0, bytes));
  }
}
