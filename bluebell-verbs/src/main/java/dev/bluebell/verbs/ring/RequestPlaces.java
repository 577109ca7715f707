package dev.bluebell.verbs.ring;

import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.Objects;

/**
 * Places in requests, in bytes from their start: constants from the table of forms. Unless a
 * comment names another service, they are those of a connection, whose fixed segments are all in
 * the first WQEBB.
 */
final class RequestPlaces {
  /** The end of a NOP. */
  static final int NOP_END = form(ServiceType.RC, WqeOpcode.NOP).fixedBytes();

  /** The data of WRITEs and READs. */
  static final int RDMA_DATA = form(ServiceType.RC, WqeOpcode.RDMA_WRITE).fixedBytes();

  private static final WqeForm TAG_CHANGE = form(ServiceType.RC, WqeOpcode.TAG_MATCHING);

  /** The segment that changes a list of tags. */
  static final int TAGS = TAG_CHANGE.offset(WqeSegment.TAG_MATCHING);

  /** The memory of a tag. */
  static final int TAGS_END = TAG_CHANGE.fixedBytes();

  /**
   * The end of a full address vector, as datagrams have it; it is also the end of the first WQEBB.
   * The segments of the operation begin here.
   */
  static final int VECTOR_END = form(ServiceType.UD, WqeOpcode.SEND).fixedBytes();

  /** The end of a compact address vector, which has only the first 16 bytes. */
  static final int COMPACT_END = VECTOR_END - AddressVector.BYTES + AddressVector.COMPACT_BYTES;

  /** The end of the segment by which an XRC request names a shared receive queue. */
  static final int XRC_END = form(ServiceType.XRC, WqeOpcode.SEND).fixedBytes();

  private RequestPlaces() {}

  private static WqeForm form(ServiceType service, int opcode) {
    return Objects.requireNonNull(WqeForm.of(service, opcode, 0));
  }
}
