// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.monitoring;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.ssl.SslHandler;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Site;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the one request of a connection. */
final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);
    private static final Answer NO_REQUEST = new Answer(400, "text/plain", "no HTTP request\n");
    private static final Answer ONLY_GET = only("GET");
    private static final Answer ONLY_GET_AND_POST = only("GET, POST");

    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.POST);

    private final Site site;

    PageHandler(Site site) {
        this.site = site;
    }

    private static Answer only(String methods) {
        return new Answer(405, "text/plain", PageServer.Body.of("only " + methods + "\n"), Map.of("allow", methods));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
        // One request a connection: what else has come is not looked at.
        context.channel().config().setAutoRead(false);
        Answer answer = answer(context, request);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                Unpooled.wrappedBuffer(answer.body().bytes()));
        answer.headers().forEach((name, value) -> response.headers().set(name, value));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
                .set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    private Answer answer(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
        if (!request.decoderResult().isSuccess()) {
            return NO_REQUEST;
        } else if (site.takesPost() && !METHODS.contains(request.method())) {
            return ONLY_GET_AND_POST;
        } else if (!site.takesPost() && !request.method().equals(HttpMethod.GET)) {
            return ONLY_GET;
        }
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        Map<String, String> headers = new HashMap<>();
        request.headers()
                .forEach(header -> headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        try {
            return site.answer(new PageRequest(
                    request.method().name(),
                    uri.path(),
                    uri.parameters(),
                    headers,
                    certificate(context),
                    request.content().toString(StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            LOG.debug("a request can't be read", e);
            return NO_REQUEST;
        }
    }

    private static Optional<X509Certificate> certificate(ChannelHandlerContext context) throws IOException {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        return tls == null
                ? Optional.empty()
                : Optional.of((X509Certificate) tls.engine().getSession().getPeerCertificates()[0]);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("a request failed", cause);
        var unused = context.close();
    }
}
