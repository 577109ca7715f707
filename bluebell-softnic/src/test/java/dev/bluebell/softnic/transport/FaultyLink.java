package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A fabric that loses, repeats and spoils what it carries, as a test tells it, and that can carry
 * what nobody sent.
 */
public final class FaultyLink implements Link {

  /** What happens to a request or response. */
  public enum Fate {
    DELIVER,
    LOSE,
    REPEAT
  }

  private final Link link;
  private final List<Integer> requestPsns = new ArrayList<>();
  private Function<Request, Fate> onRequest = request -> Fate.DELIVER;
  private Function<Response, Fate> onResponse = response -> Fate.DELIVER;
  private int packetsPerBurst = 16;
  private boolean direct;

  public FaultyLink(Link link) {
    this.link = link;
  }

  /** Decides about each request; may change it. */
  public FaultyLink onRequest(Function<Request, Fate> decision) {
    onRequest = decision;
    return this;
  }

  /** Decides about each response; may change it. */
  public FaultyLink onResponse(Function<Response, Fate> decision) {
    onResponse = decision;
    return this;
  }

  public void carryAllRequests() {
    onRequest(request -> Fate.DELIVER);
  }

  public void carryAllResponses() {
    onResponse(response -> Fate.DELIVER);
  }

  /** Lets requests cut through where the fabric below lets them; otherwise all travel. */
  public FaultyLink direct(boolean allowed) {
    direct = allowed;
    return this;
  }

  /** Packets that one request or response stands for; 1 as on a wire. */
  public FaultyLink packetsPerBurst(int packets) {
    packetsPerBurst = packets;
    return this;
  }

  /** PSNs of all requests that were sent, in order, delivered or not. */
  public List<Integer> requestPsns() {
    return requestPsns;
  }

  /** Delivers a request that nobody sent, of any service. */
  public void forgeRequest(int sourceQpn, int destinationQpn, Consumer<Request> fields) {
    Request request = new Request();
    request.sourceQpn = sourceQpn;
    request.destinationQpn = destinationQpn;
    request.sourceGidHigh = 0xfe80_0000_0000_0000L;
    request.sourceGidLow = 0x00be_11ff_fe00_0001L;
    request.first = true;
    request.last = true;
    request.packets = 1;
    fields.accept(request);
    if (request.service == ServiceType.RC) {
      link.send(request);
    } else {
      link.sendUnreliable(request);
    }
  }

  /** Delivers a response that nobody sent. */
  public void forgeResponse(
      int sourceQpn, int destinationQpn, Response.Kind kind, int psn, Consumer<Response> fields) {
    Response response = new Response();
    response.kind = kind;
    response.sourceQpn = sourceQpn;
    response.destinationQpn = destinationQpn;
    response.psn = psn;
    response.packets = 1;
    fields.accept(response);
    link.respond(response);
  }

  @Override
  public boolean reaches(Gid destination) {
    return link.reaches(destination);
  }

  @Override
  public @Nullable Responder direct(int destinationQpn) {
    return direct ? link.direct(destinationQpn) : null;
  }

  @Override
  public Gid gid(int index) {
    return link.gid(index);
  }

  @Override
  public int burstBytes(int logMtu) {
    return packetsPerBurst << logMtu;
  }

  @Override
  public void send(Request request) {
    carry(request, link::send);
  }

  @Override
  public void sendUnreliable(Request request) {
    carry(request, link::sendUnreliable);
  }

  private void carry(Request request, Consumer<Request> way) {
    requestPsns.add(request.psn);
    switch (onRequest.apply(request)) {
      case DELIVER -> way.accept(request);
      case REPEAT -> {
        way.accept(request);
        way.accept(request);
      }
      case LOSE -> {}
    }
  }

  @Override
  public void respond(Response response) {
    switch (onResponse.apply(response)) {
      case DELIVER -> link.respond(response);
      case REPEAT -> {
        link.respond(response);
        link.respond(response);
      }
      case LOSE -> {}
    }
  }
}
