package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.text.ReceiveWqeText;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.ReceiveWqe;

/** Records delivered requests in the flight record, so that they can be traced from end to end. */
public final class Deliveries {
  private Deliveries() {}

  /** Records that a message took a receive WQE of a traced queue pair. */
  static void noteTaken(FlightRecorder recorder, int receiver, ReceiveWqe wqe) {
    String text = ReceiveWqeText.disassemble(wqe.copy());
    recorder.recordTraced(HcaHappening.TAKEN, receiver, wqe.index(), 0, text);
  }

  /** Records that a request took effect with its last packet, if its responder is traced. */
  public static void note(FlightRecorder recorder, int responder, Packet last) {
    if (recorder.isTracing(responder)) {
      recorder.recordTraced(HcaHappening.DELIVERED, responder, last.wqeIndex, last.sourceQpn, null);
    }
  }
}
