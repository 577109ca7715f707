package dev.bluebell.devx;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.GetContextAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.Mlx5AllocUcontextReqV2;
import dev.bluebell.hca.uverbs.DeviceAbi.Mlx5AllocUcontextResp;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.Verbs;

/**
 * The attributes of an open context.
 *
 * @param completionVectors event queues for completions
 * @param blueFlame whether pages may be write-combining
 * @param optionalAccess whether it supports access flags that it may ignore, such as relaxed
 *     ordering
 * @param clock offset of the clock in its clock page; negative without such a page
 */
record Context(int completionVectors, boolean blueFlame, boolean optionalAccess, long clock) {
  // Unused when pages are allocated one by one; the values are libmlx5's.
  private static final int REGISTERS = 16;
  private static final int LOW_LATENCY_REGISTERS = 4;

  private static final int CQE_VERSION = 1;

  /** Opens a context with DevX, in which UAR pages are allocated one by one. */
  static Context open(UverbsFile file) {
    byte[] request =
        View.of(Mlx5AllocUcontextReqV2.STRUCTURE)
            .set(Mlx5AllocUcontextReqV2.TOTAL_NUM_BFREGS, REGISTERS)
            .set(Mlx5AllocUcontextReqV2.NUM_LOW_LATENCY_BFREGS, LOW_LATENCY_REGISTERS)
            .set(Mlx5AllocUcontextReqV2.FLAGS, Mlx5.IB_ALLOC_UCTX_DEVX)
            .set(Mlx5AllocUcontextReqV2.MAX_CQE_VERSION, CQE_VERSION)
            .set(Mlx5AllocUcontextReqV2.LIB_CAPS, Mlx5.LIB_CAP_4K_UAR | Mlx5.LIB_CAP_DYN_UAR)
            .bytes();
    Ioctl ioctl =
        Ioctl.of(GetContextAttrs.METHOD)
            .output(GetContextAttrs.NUM_COMP_VECTORS, Integer.BYTES)
            .output(GetContextAttrs.CORE_SUPPORT, Long.BYTES)
            .input(GetContextAttrs.UHW_IN, request)
            .output(GetContextAttrs.UHW_OUT, Mlx5AllocUcontextResp.STRUCTURE.bytes());
    int errno = file.call(ioctl);
    if (errno != 0) {
      throw file.refusals().context(errno);
    }
    View answer = ioctl.view(GetContextAttrs.UHW_OUT);
    if (answer.isSet(Mlx5AllocUcontextResp.TOT_BFREGS)) {
      throw file.refusals()
          .unavailable(
              "the kernel can't allocate single UAR pages (MLX5_IB_OBJECT_UAR): use Linux 5.10"
                  + " or later");
    }
    boolean hasClock =
        (answer.getInt(Mlx5AllocUcontextResp.COMP_MASK)
                & Mlx5.IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET)
            != 0;
    return new Context(
        (int) ioctl.result(GetContextAttrs.NUM_COMP_VECTORS),
        answer.isSet(Mlx5AllocUcontextResp.BF_REG_SIZE),
        (ioctl.result(GetContextAttrs.CORE_SUPPORT) & Verbs.CORE_SUPPORT_OPTIONAL_MR_ACCESS) != 0,
        hasClock ? answer.get(Mlx5AllocUcontextResp.HCA_CORE_CLOCK_OFFSET) : -1);
  }

  boolean hasClock() {
    return clock >= 0;
  }
}
