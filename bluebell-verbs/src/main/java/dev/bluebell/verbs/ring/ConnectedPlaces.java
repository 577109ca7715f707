package dev.bluebell.verbs.ring;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.Objects;

/**
 * Offsets of the segments in requests of a connection, in bytes from their start: constants from
 * the table of forms. All fixed segments of these requests are in their first WQEBB.
 */
final class ConnectedPlaces {
  private static final WqeForm RDMA = form(WqeOpcode.RDMA_WRITE);

  /** The end of a NOP. */
  static final int NOP_END = form(WqeOpcode.NOP).fixedBytes();

  /** The data of WRITEs and READs. */
  static final int RDMA_DATA = RDMA.fixedBytes();

  /** The segment that changes a list of tags. */
  static final int TAGS = form(WqeOpcode.TAG_MATCHING).offset(WqeSegment.TAG_MATCHING);

  /** The memory of a tag. */
  static final int TAGS_END = form(WqeOpcode.TAG_MATCHING).fixedBytes();

  private ConnectedPlaces() {}

  private static WqeForm form(int opcode) {
    return Objects.requireNonNull(WqeForm.of(ServiceType.RC, opcode, 0));
  }
}
