import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** Reads a body, does nothing, answers as the product. */
@Controller()
class EmptyController {
  @Post('api/sendsms')
  @HttpCode(200)
  send(@Body() body: { to: string }): object {
    return { success: 'true', message_id: `SM${'0'.repeat(32)}`, segments: body.to.length > 0 ? 1 : 0, credits: 1 };
  }

  @Get('healthz')
  up(): object {
    return { status: 'ok' };
  }
}

@Module({ controllers: [EmptyController] })
class EmptyModule {}

const app = await NestFactory.create<NestFastifyApplication>(EmptyModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
