package dev.bluebell.hca.wqe;

/**
 * The kinds of segment that send work queue entries are made of. {@link WqeForm} says which of them
 * a request has, and in which order.
 */
public enum WqeSegment {
  /** See {@link ControlSegment}. */
  CONTROL(ControlSegment.BYTES),
  /** {@code wqe.h: mlx5_wqe_xrc_seg}: number of the remote SRQ. */
  XRC(16),
  /** See {@link AddressVector}; 16 bytes of it when its {@code ext} bit is 0. */
  ADDRESS_VECTOR(AddressVector.BYTES),
  /** {@code mlx5dv.h: mlx5_wqe_av} with a DC key; 16 bytes of it when its {@code ext} bit is 0. */
  DC_ADDRESS_VECTOR(AddressVector.BYTES),
  /** {@code mlx5dv.h: mlx5_wqe_eth_seg}; an inlined header follows it in whole units. */
  ETHERNET(16),
  /** See {@link RemoteAddressSegment}. */
  REMOTE_ADDRESS(RemoteAddressSegment.BYTES),
  /** See {@link AtomicSegment}, of a compare-and-swap. */
  COMPARE_SWAP(AtomicSegment.BYTES),
  /** See {@link AtomicSegment}, of a fetch-and-add. */
  FETCH_ADD(AtomicSegment.BYTES),
  /** Swap, compare and their masks, 4 bytes each. */
  MASKED_COMPARE_SWAP_4(16),
  /** Swap, compare and their masks, 8 bytes each. */
  MASKED_COMPARE_SWAP_8(32),
  /** Swap, compare and their masks, 16 bytes each. */
  MASKED_COMPARE_SWAP_16(64),
  /** Addend and field boundary, 4 bytes each, and 8 reserved bytes. */
  MASKED_FETCH_ADD_4(16),
  /** Addend and field boundary, 8 bytes each. */
  MASKED_FETCH_ADD_8(16),
  /** Addend and field boundary, 16 bytes each. */
  MASKED_FETCH_ADD_16(32),
  /** {@code mlx5dv.h: mlx5_wqe_umr_ctrl_seg}. */
  UMR(48),
  /** {@code mlx5dv.h: mlx5_wqe_mkey_context_seg}. */
  MKEY(64),
  /** The new translation of a UMR: inline, or pointers to it. */
  TRANSLATION(0),
  /** {@code wqe.h: mlx5_wqe_set_psv_seg}. */
  PSV(16),
  /** {@code mlx5_prm.h: mlx5_wqe_qseg}, of WAIT. */
  WAIT(16),
  /** {@code mlx5_prm.h: mlx5_wqe_wseg}: WAIT for a value in memory or for the clock. */
  WAIT_VALUE(32),
  /** {@code mlx5_prm.h: mlx5_wqe_qseg}, of SEND_EN and RECV_EN. */
  ENABLE(16),
  /** {@code wqe.h: mlx5_wqe_tm_seg}. */
  TAG_MATCHING(32),
  /** {@code wqe.h: mlx5_mmo_metadata_seg}. */
  MMO(16),
  /** Any number of data and inline segments, to the entry's end: bytes to be sent. */
  GATHER(0),
  /** Any number of data segments, to the entry's end: where an answer goes. */
  SCATTER(0);

  private final int bytes;

  WqeSegment(int bytes) {
    this.bytes = bytes;
  }

  /** Size; 0 for a list, which reaches to the end of the entry. */
  public int bytes() {
    return bytes;
  }

  /** True for what reaches to the end of the entry. */
  public boolean isList() {
    return bytes == 0;
  }
}
