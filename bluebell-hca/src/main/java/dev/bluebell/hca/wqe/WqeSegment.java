package dev.bluebell.hca.wqe;

import dev.bluebell.hca.command.MkeyCommands.Mkc;

/**
 * The kinds of segments in send work queue entries. {@link WqeForm} defines which of them a request
 * has, and in which order.
 */
public enum WqeSegment {
  /** See {@link ControlSegment}. */
  CONTROL(ControlSegment.BYTES),
  /** See {@link XrcSegment}. */
  XRC(XrcSegment.BYTES),
  /** See {@link AddressVector}; only 16 bytes when its {@code ext} bit is 0. */
  ADDRESS_VECTOR(AddressVector.BYTES),
  /** See {@link AddressVector}, with a DC key; only 16 bytes when its {@code ext} bit is 0. */
  DC_ADDRESS_VECTOR(AddressVector.BYTES),
  /** See {@link EthernetSegment}; an inlined header follows it in whole units. */
  ETHERNET(EthernetSegment.BYTES),
  /** See {@link RemoteAddressSegment}. */
  REMOTE_ADDRESS(RemoteAddressSegment.BYTES),
  /** See {@link AtomicSegment}, of a compare-and-swap. */
  COMPARE_SWAP(AtomicSegment.BYTES),
  /** See {@link AtomicSegment}, of a fetch-and-add. */
  FETCH_ADD(AtomicSegment.BYTES),
  /** See {@link MaskedCompareSwap#OF_4}. */
  MASKED_COMPARE_SWAP_4(MaskedCompareSwap.OF_4.bytes()),
  /** See {@link MaskedCompareSwap#OF_8}. */
  MASKED_COMPARE_SWAP_8(MaskedCompareSwap.OF_8.bytes()),
  /** See {@link MaskedCompareSwap#OF_16}. */
  MASKED_COMPARE_SWAP_16(MaskedCompareSwap.OF_16.bytes()),
  /** See {@link MaskedFetchAdd#OF_4}. */
  MASKED_FETCH_ADD_4(MaskedFetchAdd.OF_4.bytes()),
  /** See {@link MaskedFetchAdd#OF_8}. */
  MASKED_FETCH_ADD_8(MaskedFetchAdd.OF_8.bytes()),
  /** See {@link MaskedFetchAdd#OF_16}. */
  MASKED_FETCH_ADD_16(MaskedFetchAdd.OF_16.bytes()),
  /** See {@link UmrSegment}. */
  UMR(UmrSegment.BYTES),
  /** See {@link Mkc}, which is {@code mlx5dv.h: mlx5_wqe_mkey_context_seg}. */
  MKEY(Mkc.STRUCTURE.bytes()),
  /** The new translation of a UMR: inline, or pointers to it. */
  TRANSLATION(0),
  /** See {@link PsvSegment}. */
  PSV(PsvSegment.BYTES),
  /** See {@link QueueSegment}, of WAIT. */
  WAIT(QueueSegment.BYTES),
  /** See {@link WaitValueSegment}. */
  WAIT_VALUE(WaitValueSegment.BYTES),
  /** See {@link QueueSegment}, of SEND_EN and RECV_EN. */
  ENABLE(QueueSegment.BYTES),
  /** See {@link TagMatchingSegment}. */
  TAG_MATCHING(TagMatchingSegment.BYTES),
  /** See {@link MmoSegment}. */
  MMO(MmoSegment.BYTES),
  /** See {@link TransposeSegment}. */
  TRANSPOSE(TransposeSegment.BYTES),
  /** Any number of data and inline segments, to the entry's end: bytes to be sent. */
  GATHER(0),
  /** Any number of data segments, to the entry's end: memory for the response. */
  SCATTER(0);

  private final int bytes;

  WqeSegment(int bytes) {
    this.bytes = bytes;
  }

  /** Size; 0 for a list, which reaches to the end of the entry. */
  public int bytes() {
    return bytes;
  }

  /** True for a list, which reaches to the end of the entry. */
  public boolean isList() {
    return bytes == 0;
  }
}
