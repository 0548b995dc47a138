// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

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
import io.shredder.backup.server.monitoring.MonitoringServer.Answer;
import io.shredder.backup.server.monitoring.MonitoringServer.Page;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the one request of a connection. */
final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);
    private static final Answer NOTHING_HERE = new Answer(404, "text/plain", "try /metrics or /health\n");

    private final Map<String, Page> pages;

    PageHandler(Map<String, Page> pages) {
        this.pages = pages;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws IOException {
        Answer answer = answer(request);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                Unpooled.copiedBuffer(answer.body(), StandardCharsets.UTF_8));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    private Answer answer(FullHttpRequest request) throws IOException {
        if (!request.decoderResult().isSuccess()) {
            return new Answer(400, "text/plain", "no HTTP request\n");
        }
        Page page = pages.get(new QueryStringDecoder(request.uri()).path());
        if (page == null) {
            return NOTHING_HERE;
        }
        return request.method().equals(HttpMethod.GET) ? page.answer() : new Answer(405, "text/plain", "only GET\n");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("a request for monitoring failed", cause);
        var unused = context.close();
    }
}
