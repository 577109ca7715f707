package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.text.ReceiveWqeText;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.ReceiveWqe;

/** Notes which request took effect where, so that it can be followed from one end to the other. */
public final class Deliveries {
  private Deliveries() {}

  /** Notes that a message took a receive WQE of a queue pair that is traced. */
  static void noteTaken(FlightRecorder recorder, int receiver, ReceiveWqe wqe) {
    String text = ReceiveWqeText.disassemble(wqe.copy());
    recorder.recordTraced(HcaHappening.TAKEN, receiver, wqe.index(), 0, text);
  }

  /** Notes that the request took effect whose last packet this is, if its responder is traced. */
  public static void note(FlightRecorder recorder, int responder, Packet last) {
    if (recorder.isTracing(responder)) {
      recorder.recordTraced(HcaHappening.DELIVERED, responder, last.wqeIndex, last.sourceQpn, null);
    }
  }
}
