package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Structure;
import java.util.Map;
import java.util.Optional;

/**
 * Input and output layout of a command.
 *
 * @param input fixed part of the input
 * @param output fixed part of the output
 */
public record CommandFormat(Structure input, Structure output) {
  private static final Map<Integer, CommandFormat> BY_OPCODE =
      Map.ofEntries(
          Map.entry(
              CommandOpcode.QUERY_HCA_CAP,
              new CommandFormat(QueryHcaCapIn.STRUCTURE, QueryHcaCapOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_ADAPTER,
              new CommandFormat(QueryAdapterIn.STRUCTURE, QueryAdapterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_MKEY,
              new CommandFormat(CreateMkeyIn.STRUCTURE, CreateMkeyOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_MKEY,
              new CommandFormat(QueryMkeyIn.STRUCTURE, QueryMkeyOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_MKEY,
              new CommandFormat(DestroyMkeyIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_SPECIAL_CONTEXTS,
              new CommandFormat(
                  QuerySpecialContextsIn.STRUCTURE, QuerySpecialContextsOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_EQ,
              new CommandFormat(CreateEqIn.STRUCTURE, CreateEqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_EQ,
              new CommandFormat(DestroyEqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_EQ, new CommandFormat(QueryEqIn.STRUCTURE, QueryEqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_CQ,
              new CommandFormat(CreateCqIn.STRUCTURE, CreateCqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_CQ,
              new CommandFormat(DestroyCqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_CQ, new CommandFormat(QueryCqIn.STRUCTURE, QueryCqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.MODIFY_CQ,
              new CommandFormat(ModifyCqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_QP,
              new CommandFormat(CreateQpIn.STRUCTURE, CreateQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_QP,
              new CommandFormat(DestroyQpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.RST2INIT_QP,
              new CommandFormat(Rst2initQpIn.STRUCTURE, Rst2initQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.INIT2RTR_QP,
              new CommandFormat(Init2rtrQpIn.STRUCTURE, Init2rtrQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.RTR2RTS_QP,
              new CommandFormat(Rtr2rtsQpIn.STRUCTURE, Rtr2rtsQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.RTS2RTS_QP,
              new CommandFormat(Rts2rtsQpIn.STRUCTURE, Rts2rtsQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.SQERR2RTS_QP,
              new CommandFormat(Sqerr2rtsQpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QP_2ERR, new CommandFormat(Qp2ErrIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QP_2RST, new CommandFormat(Qp2rstIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_QP, new CommandFormat(QueryQpIn.STRUCTURE, QueryQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.SQD2RTS_QP,
              new CommandFormat(Sqd2rtsQpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.INIT2INIT_QP,
              new CommandFormat(Init2initQpIn.STRUCTURE, Init2initQpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_PSV,
              new CommandFormat(CreatePsvIn.STRUCTURE, CreatePsvOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_RQ, new CommandFormat(ArmRqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_XRC_SRQ,
              new CommandFormat(CreateXrcSrqIn.STRUCTURE, CreateXrcSrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_XRC_SRQ,
              new CommandFormat(DestroyXrcSrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_XRC_SRQ,
              new CommandFormat(QueryXrcSrqIn.STRUCTURE, QueryXrcSrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_XRC_SRQ,
              new CommandFormat(ArmXrcSrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_DCT,
              new CommandFormat(CreateDctIn.STRUCTURE, CreateDctOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DRAIN_DCT,
              new CommandFormat(DrainDctIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_DCT,
              new CommandFormat(DestroyDctIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION,
              new CommandFormat(ArmDctIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_DCT,
              new CommandFormat(QueryDctIn.STRUCTURE, QueryDctOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_XRQ,
              new CommandFormat(CreateXrqIn.STRUCTURE, CreateXrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_XRQ,
              new CommandFormat(DestroyXrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_XRQ,
              new CommandFormat(QueryXrqIn.STRUCTURE, QueryXrqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ARM_XRQ, new CommandFormat(ArmXrqIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_NIC_VPORT_CONTEXT,
              new CommandFormat(
                  QueryNicVportContextIn.STRUCTURE, QueryNicVportContextOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_ROCE_ADDRESS,
              new CommandFormat(QueryRoceAddressIn.STRUCTURE, QueryRoceAddressOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_HCA_VPORT_CONTEXT,
              new CommandFormat(
                  QueryHcaVportContextIn.STRUCTURE, QueryHcaVportContextOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_HCA_VPORT_GID,
              new CommandFormat(QueryHcaVportGidIn.STRUCTURE, QueryHcaVportGidOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_HCA_VPORT_PKEY,
              new CommandFormat(QueryHcaVportPkeyIn.STRUCTURE, QueryHcaVportPkeyOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.MAD_IFC, new CommandFormat(MadIfcIn.STRUCTURE, MadIfcOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ATTACH_TO_MCG,
              new CommandFormat(AttachToMcgIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DETACH_FROM_MCG,
              new CommandFormat(DetachFromMcgIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_VPORT_COUNTER,
              new CommandFormat(QueryVportCounterIn.STRUCTURE, QueryVportCounterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_Q_COUNTER,
              new CommandFormat(AllocQCounterIn.STRUCTURE, AllocQCounterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_Q_COUNTER,
              new CommandFormat(QueryQCounterIn.STRUCTURE, QueryQCounterOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_PD, new CommandFormat(AllocPdIn.STRUCTURE, AllocPdOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_PD,
              new CommandFormat(DeallocPdIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_MEMIC,
              new CommandFormat(AllocMemicIn.STRUCTURE, AllocMemicOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_MEMIC,
              new CommandFormat(DeallocMemicIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_UAR,
              new CommandFormat(AllocUarIn.STRUCTURE, AllocUarOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_UAR,
              new CommandFormat(DeallocUarIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_XRCD,
              new CommandFormat(AllocXrcdIn.STRUCTURE, AllocXrcdOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DEALLOC_XRCD,
              new CommandFormat(DeallocXrcdIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.ALLOC_TRANSPORT_DOMAIN,
              new CommandFormat(
                  AllocTransportDomainIn.STRUCTURE, AllocTransportDomainOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_LAG,
              new CommandFormat(QueryLagIn.STRUCTURE, QueryLagOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_SQ,
              new CommandFormat(CreateSqIn.STRUCTURE, CreateSqOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_RMP,
              new CommandFormat(CreateRmpIn.STRUCTURE, CreateRmpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.MODIFY_RMP,
              new CommandFormat(ModifyRmpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_RMP,
              new CommandFormat(DestroyRmpIn.STRUCTURE, StatusOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_RMP,
              new CommandFormat(QueryRmpIn.STRUCTURE, QueryRmpOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_TIS,
              new CommandFormat(CreateTisIn.STRUCTURE, CreateTisOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.QUERY_TIS,
              new CommandFormat(QueryTisIn.STRUCTURE, QueryTisOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_GENERAL_OBJECT,
              new CommandFormat(GeneralObjInCmdHdr.STRUCTURE, GeneralObjOutCmdHdr.STRUCTURE)),
          Map.entry(
              CommandOpcode.CREATE_UMEM,
              new CommandFormat(CreateUmemIn.STRUCTURE, CreateUmemOut.STRUCTURE)),
          Map.entry(
              CommandOpcode.DESTROY_UMEM,
              new CommandFormat(DestroyUmemIn.STRUCTURE, StatusOut.STRUCTURE)));

  /**
   * The layout of the command with this opcode; empty for commands that Bluebell has no layout of.
   */
  public static Optional<CommandFormat> of(int opcode) {
    return Optional.ofNullable(BY_OPCODE.get(opcode));
  }
}
